import { CtxError } from '../errors.ts';
import { checkAppends } from './append-records.ts';
import { checkCollections } from './check-definition.ts';
import { checkOperations } from './check-operation.ts';
import {
  checkEmptyRanges,
  checkLists,
  checkPatchRanges,
  checkScan,
  checkSearch,
  checkTally,
  searchableWords,
} from './check-query.ts';
import { checkKeys, collectionNamed, invalidInput } from './check-value.ts';
import { fieldValue, keyText } from './index-order.ts';
import { createMemoryCollection, type MemoryCollection } from './memory-collection.ts';
import { tallySlice } from './memory-tally.ts';
import { type MemoryRanges, writeToMemory } from './memory-write.ts';
import { listsOf } from './record-lists.ts';
import { entriesBackwards, entriesBetween } from './sorted-list.ts';
import type {
  CollectionDefinition,
  OpenOptions,
  RecordPart,
  ScanQuery,
  StoreBackend,
  StoredRecord,
  StoreSupport,
  WriteOperation,
  WriteOptions,
  WriteWatch,
} from './store-backend.ts';

/** Where records lie. Backends on one place see the same records, also one after the other. */
export interface MemoryPlace {
  readonly collections: Map<string, MemoryCollection>;
  /** Who is told of what others write. */
  readonly watches: Set<WriteWatch>;
  /** Writes so far. */
  writes: number;
}

/** Makes a place without records. */
export function createMemoryPlace(): MemoryPlace {
  return { collections: new Map(), watches: new Set(), writes: 0 };
}

export interface MemoryBackendOptions {
  /** Default: a place of its own, gone with the backend. */
  readonly place?: MemoryPlace;
}

function copyOf(record: StoredRecord, part: RecordPart = 'whole'): StoredRecord {
  return {
    key: [...record.key],
    version: record.version,
    columns: { ...record.columns },
    body: part === 'whole' ? record.body : '',
  };
}

function openInPlace(place: MemoryPlace, definitions: readonly CollectionDefinition[]): void {
  for (const given of definitions) {
    const definition = structuredClone(given);
    const before = place.collections.get(definition.name);
    const isSame = JSON.stringify(before?.definition) === JSON.stringify(definition);
    if (isSame) continue;
    place.collections.set(
      definition.name,
      createMemoryCollection(definition, before?.records.values()),
    );
  }
}

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
    yield copyOf(record, query.part);
    checkOpen();
  }
}

function checkedRanges(
  definitions: ReadonlyMap<string, CollectionDefinition>,
  { emptyRanges = [], patchRanges = [], appends = [] }: WriteOptions,
): MemoryRanges {
  checkEmptyRanges(definitions, emptyRanges);
  checkPatchRanges(definitions, patchRanges);
  checkAppends(definitions, appends);
  return { emptyRanges, patchRanges, appends: structuredClone(appends) };
}

type CollectionOf = (name: string) => MemoryCollection;

type WordsOf = NonNullable<OpenOptions['wordsOf']>;

/** So many records' words wait for a search; then a write takes them in, so that no search has to find those of very many. */
const mostWaiting = 32;

/** Finds the words of all records that wait, if there are more than `most`. Cost: that of all of them. */
function takeInWords(collection: MemoryCollection, wordsOf: WordsOf, most: number): void {
  if (collection.waits() <= most) return;
  const waiting = collection.waiting();
  const { name } = collection.definition;
  const find = Object.hasOwn(wordsOf, name) ? wordsOf[name] : undefined;
  if (find === undefined) {
    throw invalidInput(`the store was not opened with what finds the words of ${name}`);
  }
  for (const record of waiting) collection.takeIn(record, find(copyOf(record)));
}

function takeInMany({ collections }: MemoryPlace, wordsOf: WordsOf): void {
  for (const name of Object.keys(wordsOf)) {
    const collection = collections.get(name);
    if (collection !== undefined) takeInWords(collection, wordsOf, mostWaiting);
  }
}

const supports: StoreSupport = {
  durable: false,
  sharedBetweenProcesses: false,
  search: true,
  laterWords: true,
  emptyRanges: true,
  patchRanges: true,
  appends: true,
  watch: true,
  marks: true,
  lists: true,
};

/** A write as it is asked for. */
interface WriteCall {
  readonly operations: readonly WriteOperation[];
  readonly options: WriteOptions;
}

/** Counts a write, and tells every other backend on the place who of its tenants was written to. */
function tellOthers(
  place: MemoryPlace,
  own: WriteWatch | undefined,
  { operations, options: { appends = [] } }: WriteCall,
): void {
  place.writes += 1;
  for (const watch of place.watches) {
    if (watch === own) continue;
    const seen = operations.filter(({ collection }) => collection === watch.collection);
    const added = appends.filter(({ collection }) => collection === watch.collection);
    const tenants = [...seen.map(({ key }) => key[0]), ...added.map((batch) => batch.place[0])];
    for (const tenant of new Set(tenants)) watch.onWrite(tenant);
  }
}

/** The calls that change nothing. */
function memoryReads(
  collectionOf: CollectionOf,
  checkOpen: () => void,
  wordsOf: () => WordsOf,
): Pick<StoreBackend, 'get' | 'scan' | 'tally' | 'search' | 'lists'> {
  return {
    async get(name, keys, part) {
      const { definition, records } = collectionOf(name);
      checkKeys(definition, keys);
      return keys.map((key) => {
        const record = records.get(keyText(key));
        return record === undefined ? undefined : copyOf(record, part);
      });
    },
    async *scan(query) {
      const collection = collectionOf(query.collection);
      checkScan(collection.definition, query);
      yield* scanPlace(collection, query, checkOpen);
    },
    async lists(query) {
      const collection = collectionOf(query.collection);
      const { definition } = collection;
      checkLists(definition, query);
      const records = Array.from(entriesOf(collection, query), ({ record }) => record);
      return listsOf(records, query, (record, name) => fieldValue(definition, record, name));
    },
    async tally(query) {
      const collection = collectionOf(query.collection);
      checkTally(collection.definition, query);
      return tallySlice(collection, collection.slice(query), query);
    },
    async search(query) {
      const collection = collectionOf(query.collection);
      checkSearch(collection.definition, query);
      takeInWords(collection, wordsOf(), 0);
      const text = collection.textOf(query.equal[0] ?? '');
      return text?.search(query.equal, searchableWords(query.words), query.limit) ?? [];
    },
  };
}

/**
 * Keeps everything in memory: for tests, for trying ctx out, and for what may be forgotten.
 * Cost: reads by key are constant, writes logarithmic per index, scans see the moment of their first step.
 */
export function memoryBackend(options: MemoryBackendOptions = {}): StoreBackend {
  const place = options.place ?? createMemoryPlace();
  const definitions = new Map<string, CollectionDefinition>();
  let wordsOf: WordsOf = {};
  let watch: WriteWatch | undefined;
  let state: 'new' | 'open' | 'closed' = 'new';

  const checkOpen = (): void => {
    if (state === 'open') return;
    const reason = state === 'new' ? 'is not open yet' : 'is closed';
    throw new CtxError('CTX_STORE_CLOSED', `the memory store ${reason}`);
  };
  const collectionOf: CollectionOf = (name) => {
    checkOpen();
    collectionNamed(definitions, name);
    const collection = place.collections.get(name);
    if (collection === undefined) throw invalidInput('the store has no collection of that name');
    return collection;
  };

  return {
    contract: 1,
    name: 'memory',
    supports,
    ...memoryReads(collectionOf, checkOpen, () => wordsOf),
    async open(collections, options = {}) {
      if (state === 'open') throw invalidInput('the memory store is open already');
      if (state === 'closed') checkOpen();
      checkCollections(collections);
      openInPlace(place, collections);
      for (const definition of collections) {
        definitions.set(definition.name, structuredClone(definition));
      }
      wordsOf = { ...options.wordsOf };
      watch = options.watch;
      if (watch !== undefined) place.watches.add(watch);
      state = 'open';
    },
    async write(operations, options = {}) {
      checkOpen();
      checkOperations(definitions, operations, wordsOf);
      writeToMemory(collectionOf, operations, checkedRanges(definitions, options));
      takeInMany(place, wordsOf);
      tellOthers(place, watch, { operations, options });
    },
    mark: () => (state === 'open' ? String(place.writes) : undefined),
    async close() {
      if (watch !== undefined) place.watches.delete(watch);
      state = 'closed';
    },
  };
}
