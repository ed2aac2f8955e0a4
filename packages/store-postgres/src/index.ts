export {
  type DistributionReceipt,
  type DistributionStep,
  distributePostgresStore,
} from './schema/distribute.ts';
export { dropPostgresStore } from './schema/drop-store.ts';
export { lockPostgresTenants, type TenantLockReceipt } from './lock/lock-tenants.ts';
export { openPostgresStore } from './open-postgres-store.ts';
export type { PoolOptions } from './driver/pg-driver.ts';
export { postgresBackend, postgresStoreExists } from './postgres-backend.ts';
export type {
  Listening,
  SessionOptions,
  SqlDriver,
  SqlList,
  SqlRow,
  SqlSession,
  SqlValue,
} from './driver/sql-driver.ts';
export type { PostgresStoreOptions } from './store-place.ts';
