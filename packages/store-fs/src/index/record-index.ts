import {
  type CollectionDefinition,
  createMemoryPlace,
  keyText,
  memoryBackend,
  type RecordKey,
  type SearchHit,
  type SearchQuery,
  type StoreBackend,
} from '@ctx/store/backend';
import type { JournalStep, WordsLine, WriteLine } from '../journal/journal-line.ts';
import {
  createShelf,
  findOnShelf,
  folderOf,
  type IndexEntry,
  linesOnShelf,
  type OpenSegment,
  putOnShelf,
  type RecordShelf,
  shelfLines,
  takeFromShelf,
  type WordsReader,
  withoutWords,
} from './record-shelf.ts';
import { createSearchText } from './search-text.ts';

/** Columns, versions and search words of all records, in memory. The journal says how it came about. */
export interface RecordIndex {
  /** Reads columns, scans and tallies: bodies are ''. */
  readonly columns: StoreBackend;
  /** The highest counter of a write. */
  lastWrite(): number;
  /** Steps that a later one made useless, and how many of the later ones were deletes. */
  staleSteps(): { readonly all: number; readonly deletes: number };
  size(): number;
  entry(collection: string, key: RecordKey): IndexEntry | undefined;
  /** The segment to which new records beside this one may be added; undefined where there is none. */
  segment(collection: string, key: RecordKey): OpenSegment | undefined;
  /** The records that lie in a segment beside a record, by where their lines begin. Looks at every record of the collection. */
  inSegment(collection: string, key: RecordKey, file: string): ReadonlyMap<number, RecordKey[]>;
  /** Where the unreadable file of a record went, below the quarantine. */
  quarantined(collection: string, key: RecordKey): string | undefined;
  /** The records of a collection that were set aside. */
  quarantinedKeys(collection: string): readonly RecordKey[];
  apply(line: Pick<WriteLine, 'write' | 'steps'>): void;
  applyWords(line: WordsLine): void;
  /** The records of a collection that an older ctx put without their words. Looks at each record that has words. */
  withoutWords(collection: string): RecordKey[];
  search(query: SearchQuery): Promise<SearchHit[]>;
  /** Everything as journal lines, for a compaction. */
  lines(): Generator<WriteLine>;
}

function shelfFinder(
  shelves: Map<string, RecordShelf>,
  definitions: readonly CollectionDefinition[],
): (name: string) => RecordShelf {
  return (name) => {
    const definition = definitions.find((candidate) => candidate.name === name);
    const shelf = shelves.get(name) ?? createShelf(name, definition);
    shelves.set(name, shelf);
    return shelf;
  };
}

/** Makes an empty index. `readWords` is used at the first search of a collection and in compactions. */
export async function createRecordIndex(
  definitions: readonly CollectionDefinition[],
  readWords: WordsReader,
): Promise<RecordIndex> {
  const place = createMemoryPlace();
  const columns = memoryBackend({ place });
  await columns.open(definitions.map((definition) => ({ ...definition, search: [] })));
  const text = await createSearchText(definitions, readWords);
  const shelves = new Map<string, RecordShelf>();
  const shelfOf = shelfFinder(shelves, definitions);
  const stale = { all: 0, deletes: 0 };
  let lastWrite = 0;

  const applyStep = (step: JournalStep, write: number): void => {
    // Which records leave a segment is told by their own steps.
    if (step.change === 'segment') return;
    const shelf = shelfOf(step.collection);
    const key = keyText(step.key);
    const isPut = step.change === 'put';
    if (!isPut || shelf.entries.has(key)) stale.all++;
    if (!isPut) stale.deletes++;
    const entry = isPut ? putOnShelf(shelf, step, write) : undefined;
    if (!isPut) takeFromShelf(shelf, step);
    place.collections.get(step.collection)?.replace(key, entry);
    if (!isPut || step.words !== undefined) text.update(shelf, key);
  };

  return {
    columns,
    lastWrite: () => lastWrite,
    staleSteps: () => stale,
    size: () => [...shelves.values()].reduce((sum, { entries }) => sum + entries.size, 0),
    entry: (name, key) => shelfOf(name).entries.get(keyText(key)),
    segment: (name, key) => shelfOf(name).segments.get(folderOf(key)),
    inSegment: (name, key, file) => linesOnShelf(shelfOf(name), key, file),
    quarantinedKeys: (name) => [...shelfOf(name).quarantined.values()].map(({ key }) => key),
    quarantined: (name, key) => shelfOf(name).quarantined.get(keyText(key))?.movedTo,
    apply({ write, steps }) {
      lastWrite = Math.max(lastWrite, write);
      for (const step of steps) applyStep(step, write);
    },
    applyWords({ records }) {
      for (const found of records.filter((one) => findOnShelf(shelfOf(one.collection), one)))
        text.update(shelfOf(found.collection), keyText(found.key));
    },
    withoutWords: (name) => withoutWords(shelfOf(name), readWords),
    search: (query) => text.search(query, shelfOf(query.collection)),
    *lines() {
      for (const shelf of shelves.values()) yield* shelfLines(shelf, readWords);
    },
  };
}
