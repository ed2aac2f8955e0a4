import { type ContextStore, type OpenStoreOptions, openStore } from '@ctx/store';
import { sqliteBackend } from './sqlite-backend.ts';
import type { SqliteStoreOptions } from './sqlite-options.ts';

/**
 * Opens one SQLite file as a store.
 * @throws `CTX_STORE_CORRUPT` for a file that is no ctx store, `CTX_STORE_READ_ONLY` for one that cannot be written.
 */
export async function openSqliteStore(
  options: SqliteStoreOptions & OpenStoreOptions,
): Promise<ContextStore> {
  return await openStore(sqliteBackend(options), options);
}
