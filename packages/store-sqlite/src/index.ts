export { openSqliteStore } from './open-sqlite-store.ts';
export { type SqliteStoreOptions, sqliteBackend } from './sqlite-backend.ts';
