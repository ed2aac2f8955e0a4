import { type StoreBackend, wrapBackend } from '@ctx/store/backend';

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
    handle: () =>
      wrapBackend(backend, {
        open: async (collections, options) => {
          opening ??= backend.open(collections, options);
          await opening;
        },
        close: async () => undefined,
      }),
    close: () => backend.close(),
  };
}
