import { type ContextStore, type OpenStoreOptions, openStore } from '@ctx/store';
import { postgresBackend } from './postgres-backend.ts';
import type { PostgresStoreOptions } from './store-place.ts';

/**
 * Opens a schema of PostgreSQL as a store.
 * @throws `CTX_STORE_UNREACHABLE` if the server does not answer; `CTX_STORE_IO` if it refuses.
 */
export async function openPostgresStore(
  options: PostgresStoreOptions & OpenStoreOptions,
): Promise<ContextStore> {
  return await openStore(postgresBackend(options), options);
}
