import { CtxError, isCtxError } from '@ctx/core';
import { mapScan } from './indexes/map-scan.ts';
import type { StoreBackend } from './store-backend.ts';
import { wrapBackend } from './wrap-backend.ts';

function wrap(error: unknown, backend: string, call: string): CtxError {
  if (isCtxError(error)) return error;
  return new CtxError('CTX_STORE_IO', `${backend} failed in ${call}`, { cause: error });
}

/**
 * Wraps a backend so that each of its errors is a `CtxError` and every call after `close` is refused.
 * The store holds the guarded backend only, so that third-party backends need not repeat this.
 */
export function guardBackend(backend: StoreBackend): StoreBackend {
  let closed = false;
  const call = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    if (closed) throw new CtxError('CTX_STORE_CLOSED', `the store is closed; ${name} was refused`);
    try {
      return await run();
    } catch (error) {
      throw wrap(error, backend.name, name);
    }
  };
  return wrapBackend(backend, {
    open: (collections, options) => call('open', () => backend.open(collections, options)),
    get: (collection, keys, part) => call('get', () => backend.get(collection, keys, part)),
    write: (operations, options) => call('write', () => backend.write(operations, options)),
    tally: (query) => call('tally', () => backend.tally(query)),
    search: (query) => call('search', () => backend.search(query)),
    scan: (query) => ({
      ...mapScan(
        () => {
          if (!closed) return backend.scan(query);
          throw new CtxError('CTX_STORE_CLOSED', 'the store is closed; scan was refused');
        },
        { map: (record) => record, fail: (error) => wrap(error, backend.name, 'scan') },
      ),
      lists: (names, size) => call('scan', async () => backend.scan(query).lists?.(names, size)),
    }),
    async close() {
      if (closed) return;
      closed = true;
      try {
        await backend.close();
      } catch (error) {
        throw wrap(error, backend.name, 'close');
      }
    },
  });
}
