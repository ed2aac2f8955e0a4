export { openPostgresStore } from './open-postgres-store.ts';
export type { PoolOptions } from './pg-driver.ts';
export {
  type PostgresStoreOptions,
  postgresBackend,
  postgresStoreExists,
} from './postgres-backend.ts';
export type { Listening, SqlDriver, SqlRow, SqlSession, SqlValue } from './sql-driver.ts';
