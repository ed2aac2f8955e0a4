export {
  type DistributionReceipt,
  type DistributionStep,
  distributePostgresStore,
} from './distribute.ts';
export { dropPostgresStore } from './drop-store.ts';
export { lockPostgresTenants, type TenantLockReceipt } from './lock-tenants.ts';
export { openPostgresStore } from './open-postgres-store.ts';
export type { PoolOptions } from './pg-driver.ts';
export { postgresBackend, postgresStoreExists } from './postgres-backend.ts';
export type {
  Listening,
  SessionOptions,
  SqlDriver,
  SqlList,
  SqlRow,
  SqlSession,
  SqlValue,
} from './sql-driver.ts';
export type { PostgresStoreOptions } from './store-place.ts';
