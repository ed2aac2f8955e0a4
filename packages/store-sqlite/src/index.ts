export { openSqliteStore } from './open-sqlite-store.ts';
export { openForeignDatabase } from './schema/read-foreign-database.ts';
export { sqliteBackend } from './sqlite-backend.ts';
export type { SqliteStoreOptions } from './sqlite-options.ts';
