import {
  type RecordScan,
  type StoreBackend,
  type StoredRecord,
  wrapBackend,
} from '@ctx/store/backend';

/** What a call asked of its backend and of the token counter. */
export interface Operations {
  /** Calls of the backend. */
  readonly calls: number;
  readonly recordsRead: number;
  readonly recordsWritten: number;
  /** Characters that were counted to tokens. */
  readonly counted: number;
}

export type Count = (added: Partial<Operations>) => void;

/** Counts each record of a scan, however it is read. */
function countedScan(scan: RecordScan, count: Count): RecordScan {
  const seen = <T>(value: T): T => {
    count({ recordsRead: 1 });
    return value;
  };
  const steps = async function* (): AsyncGenerator<StoredRecord> {
    for await (const record of scan) yield seen(record);
  };
  const { all, lists } = scan;
  return {
    [Symbol.asyncIterator]: steps,
    ...(all && { all: (map) => all((record) => map(seen(record))) }),
    ...(lists && {
      lists: async (names, size) => {
        const parts = await lists(names, size);
        for (const part of parts ?? []) count({ recordsRead: part.count });
        return parts;
      },
    }),
  };
}

/** A backend that tells what is asked of it. What it reads inside of itself to answer is not seen. */
export function countedBackend(backend: StoreBackend, count: Count): StoreBackend {
  return wrapBackend(backend, {
    get: (collection, keys, part) => {
      count({ calls: 1, recordsRead: keys.length });
      return backend.get(collection, keys, part);
    },
    write: (operations, options) => {
      const appended = (options?.appends ?? []).map(({ records }) => records.length);
      const recordsWritten = appended.reduce((sum, each) => sum + each, operations.length);
      count({ calls: 1, recordsWritten });
      return backend.write(operations, options);
    },
    scan: (query) => {
      count({ calls: 1 });
      return countedScan(backend.scan(query), count);
    },
    tally: async (query) => {
      const groups = await backend.tally(query);
      count({ calls: 1, recordsRead: groups.length });
      return groups;
    },
    search: async (query) => {
      const hits = await backend.search(query);
      count({ calls: 1, recordsRead: hits.length });
      return hits;
    },
  });
}
