export { lockPostgresTenants } from './lock/lock-tenants.ts';
export { openPostgresStore } from './open-postgres-store.ts';
export { postgresBackend, postgresStoreExists } from './postgres-backend.ts';
export { distributePostgresStore } from './schema/distribute.ts';
export { dropPostgresStore } from './schema/drop-store.ts';
