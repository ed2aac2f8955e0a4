import { type OpenOptions, type StoreBackend, wrapBackend } from '@ctx/store/backend';

/** One backend for several stores, such as those of all tenants. */
export interface SharedBackend {
  /** A backend for one store. Its `close` leaves the shared one open. */
  handle(): StoreBackend;
  /** Closes the shared backend. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Shares a backend: it is opened once, with the collections of the first handle that is opened.
 * Every handle declares the same collections, as `openStore` does, and each learns how many records no search finds yet.
 */
export function shareBackend(backend: StoreBackend): SharedBackend {
  let opening: Promise<void> | undefined;
  let unsearched = 0;
  let readMark: (() => string | undefined) | undefined;
  const listeners = new Set<(records: number) => void>();
  const onUnsearched = (records: number): void => {
    unsearched = records;
    for (const listener of listeners) listener(records);
  };
  return {
    handle: () =>
      wrapBackend(backend, {
        open: async (collections, options) => {
          const listener = options?.onUnsearched;
          if (listener !== undefined) listeners.add(listener);
          const onMark: OpenOptions['onMark'] = (read) => {
            readMark = read;
          };
          opening ??= backend.open(collections, { ...options, onUnsearched, onMark });
          await opening;
          if (readMark !== undefined) options?.onMark?.(readMark);
          if (unsearched > 0) listener?.(unsearched);
        },
        close: async () => undefined,
      }),
    close: () => backend.close(),
  };
}
