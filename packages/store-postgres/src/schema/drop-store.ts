import { CtxError } from '@ctx/core';
import { storeError } from '../driver/postgres-errors.ts';
import { type PostgresStoreOptions, placeOf } from '../store-place.ts';

/**
 * Drops the schema of a store with all that it holds, whoever uses it; nothing where there is none.
 * @throws `CTX_STORE_UNREACHABLE` if the server does not answer; `CTX_STORE_IO` if it refuses; `CTX_STORE_READ_ONLY` for a place that is
 * only read.
 */
export async function dropPostgresStore(options: PostgresStoreOptions): Promise<void> {
  const place = placeOf({ ...options, maxConnections: 1 });
  try {
    if (place.readOnly) throw new CtxError('CTX_STORE_READ_ONLY', 'the store is only read');
    await place.driver.script(`DROP SCHEMA IF EXISTS ${place.schema} CASCADE`);
  } catch (error) {
    throw storeError(error, place.name);
  } finally {
    await place.driver.close();
  }
}
