import type { StoreBackend } from './store-backend.ts';

/**
 * Returns a backend that does what `overrides` say and forwards everything else. A member that the interface gains does not compile
 * here until it is forwarded, so that no decorator can forget it.
 *
 * @example
 * const counted = wrapBackend(backend, {
 *   write: (operations, options) => {
 *     writes += 1;
 *     return backend.write(operations, options);
 *   },
 * });
 */
export function wrapBackend(
  backend: StoreBackend,
  overrides: Partial<StoreBackend> = {},
): StoreBackend {
  return {
    contract: backend.contract,
    name: backend.name,
    supports: backend.supports,
    open: (collections, options) => backend.open(collections, options),
    get: (collection, keys, part) => backend.get(collection, keys, part),
    write: (operations, options) => backend.write(operations, options),
    scan: (query) => backend.scan(query),
    tally: (query) => backend.tally(query),
    search: (query) => backend.search(query),
    close: () => backend.close(),
    ...overrides,
  };
}
