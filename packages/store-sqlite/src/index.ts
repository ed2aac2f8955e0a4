export { type SqliteStoreOptions, sqliteBackend } from './sqlite-backend.ts';
