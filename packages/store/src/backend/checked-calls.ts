import {
  checkLists,
  checkScan,
  checkSearch,
  checkTally,
  searchableWords,
} from './check/check-query.ts';
import { checkKeys, collectionNamed } from './check/check-value.ts';
import { checkWrite } from './check/check-write.ts';
import type { CollectionDefinition, RecordScan, ScanQuery, StoreBackend } from './store-backend.ts';

type Calls = Pick<StoreBackend, 'get' | 'write' | 'scan' | 'tally' | 'search'>;

type CollectionOf = (name: string) => CollectionDefinition;

/** A scan that is checked at its first step, and before it is read at once. */
function checkedScan(scan: RecordScan, query: ScanQuery, named: CollectionOf): RecordScan {
  const check = (): CollectionDefinition => {
    const definition = named(query.collection);
    checkScan(definition, query);
    return definition;
  };
  const { all, lists } = scan;
  return {
    [Symbol.asyncIterator]: () => {
      try {
        check();
      } catch (error) {
        return {
          // An async function: what is thrown at the first step is the error as it is.
          next: async () => {
            throw error;
          },
        };
      }
      return scan[Symbol.asyncIterator]();
    },
    ...(all && {
      async all(map) {
        check();
        return await all(map);
      },
    }),
    ...(lists && {
      async lists(names, size) {
        checkLists(named(query.collection), { ...query, names, size });
        return await lists(names, size);
      },
    }),
  };
}

/**
 * Returns the calls of a backend, which refuse what does not fit its collections before `calls` see it; searches are left with the
 * words that can match. `opened` returns the collections, and throws while the store is not open.
 */
export function checkedCalls(
  calls: Calls,
  opened: () => ReadonlyMap<string, CollectionDefinition>,
): Calls {
  const named: CollectionOf = (name) => collectionNamed(opened(), name);
  return {
    async get(collection, keys, part) {
      checkKeys(named(collection), keys);
      return await calls.get(collection, keys, part);
    },
    async write(operations, options = {}) {
      checkWrite(opened(), { operations, options });
      await calls.write(operations, options);
    },
    scan: (query) => checkedScan(calls.scan(query), query, named),
    async tally(query) {
      checkTally(named(query.collection), query);
      return await calls.tally(query);
    },
    async search(query) {
      checkSearch(named(query.collection), query);
      return await calls.search({ ...query, words: searchableWords(query) });
    },
  };
}
