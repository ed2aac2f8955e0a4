import {
  type CollectionDefinition,
  type ColumnValue,
  completeColumns,
  createMemoryPlace,
  keyText,
  memoryBackend,
  type RecordKey,
  type SearchHit,
  type SearchQuery,
  type StoreBackend,
} from '@ctx/core';
import type { BytePlace, JournalStep, PutStep, WriteLine } from './journal-line.ts';

const noWords: Readonly<Record<string, string>> = {};

/** What the index knows of a record: all but body and words. Never changed in place. */
export interface IndexEntry {
  readonly key: RecordKey;
  readonly version: number;
  readonly columns: Readonly<Record<string, ColumnValue>>;
  readonly body: '';
  readonly words: Readonly<Record<string, string>>;
  /** Counter of the write that made the record as it is. */
  readonly write: number;
}

/** Columns, versions and search words of all records, in memory. The journal says how it came about. */
export interface RecordIndex {
  /** Reads columns, scans and tallies: bodies are ''. */
  readonly columns: StoreBackend;
  /** The highest counter of a write. */
  lastWrite(): number;
  /** Changes since the index was made that left words or columns behind in the journal, and how many of them deleted. */
  staleSteps(): { readonly all: number; readonly deletes: number };
  size(): number;
  entry(collection: string, key: RecordKey): IndexEntry | undefined;
  /** Where the unreadable file of a record went, below the quarantine. */
  quarantined(collection: string, key: RecordKey): string | undefined;
  apply(line: Pick<WriteLine, 'write' | 'steps'>): void;
  search(query: SearchQuery): Promise<SearchHit[]>;
  /** Everything as journal lines, for a compaction. */
  lines(): Generator<WriteLine>;
}

interface Shelf {
  readonly definition: CollectionDefinition | undefined;
  readonly entries: Map<string, IndexEntry>;
  /** Records that have words, and where they are. */
  readonly words: Map<string, Readonly<Record<string, string>> | BytePlace>;
  readonly quarantined: Map<string, { key: RecordKey; movedTo: string }>;
}

/** Reads the words that the journal keeps. */
export type WordsReader = (place: BytePlace) => Readonly<Record<string, string>>;

function isPlace(words: PutStep['words'] & object): words is BytePlace {
  return typeof words['at'] === 'number';
}

/** Makes an empty index. `readWords` is used at the first search of a collection and when its records change later. */
export async function createRecordIndex(
  definitions: readonly CollectionDefinition[],
  readWords: WordsReader,
): Promise<RecordIndex> {
  const place = createMemoryPlace();
  const columns = memoryBackend({ place });
  await columns.open(definitions.map((definition) => ({ ...definition, search: [] })));
  const texts = createMemoryPlace();
  const text = memoryBackend({ place: texts });
  const searched = definitions.filter(({ search }) => search.length > 0);
  await text.open(searched.map((one) => ({ ...one, columns: {}, indexes: [] })));
  const withText = new Set<string>();
  const shelves = new Map<string, Shelf>();
  let lastWrite = 0;
  const stale = { all: 0, deletes: 0 };

  const shelfOf = (name: string): Shelf => {
    const definition = definitions.find((candidate) => candidate.name === name);
    const shelf = shelves.get(name) ?? {
      definition,
      entries: new Map<string, IndexEntry>(),
      words: new Map<string, Readonly<Record<string, string>> | BytePlace>(),
      quarantined: new Map<string, { key: RecordKey; movedTo: string }>(),
    };
    shelves.set(name, shelf);
    return shelf;
  };
  const wordsOf = (shelf: Shelf, key: string): Readonly<Record<string, string>> => {
    const words = shelf.words.get(key) ?? noWords;
    return isPlace(words) ? readWords(words) : words;
  };
  const setText = (name: string, key: string): void => {
    const shelf = shelfOf(name);
    const entry = shelf.entries.get(key);
    const next = entry === undefined ? undefined : { ...entry, words: wordsOf(shelf, key) };
    texts.collections.get(name)?.replace(key, next);
  };
  const put = (shelf: Shelf, step: PutStep, write: number): void => {
    const key = keyText(step.key);
    const entry: IndexEntry = {
      key: step.key,
      version: step.version,
      columns:
        shelf.definition === undefined
          ? step.columns
          : completeColumns(shelf.definition, step.columns),
      body: '',
      words: noWords,
      write,
    };
    if (shelf.entries.has(key)) stale.all++;
    shelf.entries.set(key, entry);
    shelf.quarantined.delete(key);
    place.collections.get(step.collection)?.replace(key, entry);
    if (step.words !== undefined && Object.keys(step.words).length > 0) {
      shelf.words.set(key, step.words);
    } else if (step.words !== undefined) shelf.words.delete(key);
  };
  const remove = (shelf: Shelf, step: JournalStep): void => {
    const key = keyText(step.key);
    stale.all++;
    stale.deletes++;
    shelf.entries.delete(key);
    shelf.words.delete(key);
    if (step.change === 'quarantine') {
      shelf.quarantined.set(key, { key: step.key, movedTo: step.movedTo });
    } else shelf.quarantined.delete(key);
    place.collections.get(step.collection)?.replace(key, undefined);
  };

  return {
    columns,
    lastWrite: () => lastWrite,
    staleSteps: () => stale,
    size: () => [...shelves.values()].reduce((sum, shelf) => sum + shelf.entries.size, 0),
    entry: (name, key) => shelfOf(name).entries.get(keyText(key)),
    quarantined: (name, key) => shelfOf(name).quarantined.get(keyText(key))?.movedTo,
    apply({ write, steps }) {
      lastWrite = Math.max(lastWrite, write);
      for (const step of steps) {
        const shelf = shelfOf(step.collection);
        if (step.change === 'put') put(shelf, step, write);
        else remove(shelf, step);
        const isNew = step.change !== 'put' || step.words !== undefined;
        if (withText.has(step.collection) && isNew) setText(step.collection, keyText(step.key));
      }
    },
    async search(query) {
      if (
        searched.some(({ name }) => name === query.collection) &&
        !withText.has(query.collection)
      ) {
        for (const key of shelfOf(query.collection).words.keys()) setText(query.collection, key);
        withText.add(query.collection);
      }
      const isSearched = withText.has(query.collection);
      return await (isSearched ? text : columns).search(query);
    },
    *lines() {
      for (const [collection, shelf] of shelves) {
        for (const [name, { key, version, columns: values, write }] of shelf.entries) {
          const words = wordsOf(shelf, name);
          const step = { change: 'put', collection, key, version, columns: values } as const;
          yield { type: 'write', write, steps: [{ ...step, temporary: '', words }] };
        }
        for (const { key, movedTo } of shelf.quarantined.values()) {
          const step = { change: 'quarantine', collection, key, movedTo } as const;
          yield { type: 'write', write: 0, steps: [step] };
        }
      }
    },
  };
}
