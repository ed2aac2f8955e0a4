export { openSqliteStore } from './open-sqlite-store.ts';
export { type ForeignDatabase, openForeignDatabase } from './read-foreign-database.ts';
export { type SqliteStoreOptions, sqliteBackend } from './sqlite-backend.ts';
