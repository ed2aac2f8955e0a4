export { openSqliteStore } from './open-sqlite-store.ts';
export { checkSqliteFile } from './repair/check-file.ts';
export { repairSqliteFile } from './repair/repair-file.ts';
export { openForeignDatabase } from './schema/read-foreign-database.ts';
export { sqliteBackend } from './sqlite-backend.ts';
