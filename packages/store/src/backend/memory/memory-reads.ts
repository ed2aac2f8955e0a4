import {
  checkLists,
  checkScan,
  checkSearch,
  checkTally,
  searchableWords,
} from '../check/check-query.ts';
import { checkKeys } from '../check/check-value.ts';
import { copyRecord } from '../copy-record.ts';
import { fieldValue, keyText } from '../index-order.ts';
import { entriesBackwards, entriesBetween } from '../indexes/sorted-list.ts';
import { type FieldReader, listsOf } from '../record-lists.ts';
import type { ScanQuery, StoreBackend, StoredRecord } from '../store-backend.ts';
import type { MemoryCollection } from './memory-collection.ts';
import { tallySlice } from './memory-tally.ts';

/**
 * Gives an open collection.
 * @throws `CTX_STORE_CLOSED`, `CTX_INVALID_INPUT` where there is none of that name.
 */
export type CollectionOf = (name: string) => MemoryCollection;

function entriesOf(collection: MemoryCollection, query: ScanQuery) {
  const { chunks, start, end } = collection.slice(query);
  return query.descending === true
    ? entriesBackwards(chunks, start, end)
    : entriesBetween(chunks, start, end);
}

async function* scanPlace(
  collection: MemoryCollection,
  query: ScanQuery,
  checkOpen: () => void,
): AsyncGenerator<StoredRecord> {
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  for (const { record } of entriesOf(collection, query)) {
    if (left-- <= 0) return;
    yield copyRecord(record, query.part);
    checkOpen();
  }
}

/** The calls that change nothing. */
export function memoryReads(
  collectionOf: CollectionOf,
  checkOpen: () => void,
): Pick<StoreBackend, 'get' | 'scan' | 'tally' | 'search'> {
  return {
    async get(name, keys, part) {
      const { definition, records } = collectionOf(name);
      checkKeys(definition, keys);
      return keys.map((key) => {
        const record = records.get(keyText(key));
        return record === undefined ? undefined : copyRecord(record, part);
      });
    },
    scan: (query) => ({
      async *[Symbol.asyncIterator]() {
        const collection = collectionOf(query.collection);
        checkScan(collection.definition, query);
        yield* scanPlace(collection, query, checkOpen);
      },
      async lists(names, size) {
        const collection = collectionOf(query.collection);
        const { definition } = collection;
        checkLists(definition, { ...query, names, size });
        const records = Array.from(entriesOf(collection, query), ({ record }) => record);
        const valueOf: FieldReader = (record, name) => fieldValue(definition, record, name);
        return listsOf(records, { names, size }, valueOf);
      },
    }),
    async tally(query) {
      const collection = collectionOf(query.collection);
      checkTally(collection.definition, query);
      return tallySlice(collection, collection.slice(query), query);
    },
    async search(query) {
      const collection = collectionOf(query.collection);
      checkSearch(collection.definition, query);
      const text = collection.textOf(query.equal[0] ?? '');
      return text?.search({ ...query, words: searchableWords(query) }) ?? [];
    },
  };
}
