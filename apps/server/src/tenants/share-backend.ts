import { passedLists } from '@ctx/store/backend';
import type { StoreBackend } from '@ctx/store/backend';

/** One backend for several stores, such as those of all tenants. */
export interface SharedBackend {
  /** A backend for one store. Its `close` leaves the shared one open. */
  handle(): StoreBackend;
  /** Closes the shared backend. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Shares a backend: it is opened once, with the collections of the first handle that is opened.
 * Contract: every handle declares the same collections, as `openStore` does. Cost: none.
 */
export function shareBackend(backend: StoreBackend): SharedBackend {
  let opening: Promise<void> | undefined;
  return {
    handle: () => ({
      contract: 1,
      name: backend.name,
      supports: backend.supports,
      open: async (collections, options) => {
        opening ??= backend.open(collections, options);
        await opening;
      },
      get: (collection, keys, part) => backend.get(collection, keys, part),
      write: (operations, options) => backend.write(operations, options),
      scan: (query) => backend.scan(query),
      tally: (query) => backend.tally(query),
      search: (query) => backend.search(query),
      mark: () => backend.mark?.(),
      ...passedLists(backend),
      close: async () => undefined,
    }),
    close: () => backend.close(),
  };
}
