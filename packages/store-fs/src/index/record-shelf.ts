import {
  type CollectionDefinition,
  type ColumnValue,
  completeColumns,
  keyText,
  type RecordKey,
} from '@ctx/store/backend';
import type { RecordWords } from '../files/record-file.ts';
import type {
  BytePlace,
  DeleteStep,
  FoundWords,
  PutStep,
  QuarantineStep,
  SegmentPlace,
  WriteLine,
} from '../journal/journal-line.ts';

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
  /** Undefined: it has a file of its own. */
  readonly segment: SegmentPlace | undefined;
}

/** The segment of a folder that was begun last. */
export interface OpenSegment {
  readonly file: string;
  /** Bytes after its last line. */
  readonly end: number;
}

/** Reads the words that the journal keeps. */
export type WordsReader = (place: BytePlace) => RecordWords;

/** What the index knows of one collection, opened or not. */
export interface RecordShelf {
  readonly collection: string;
  /** Undefined where the store was opened without this collection. */
  readonly definition: CollectionDefinition | undefined;
  readonly entries: Map<string, IndexEntry>;
  /** Records that have words, and where they are. */
  readonly words: Map<string, RecordWords | BytePlace>;
  readonly quarantined: Map<string, { readonly key: RecordKey; readonly movedTo: string }>;
  /** By `folderOf` of the keys of their records. */
  readonly segments: Map<string, OpenSegment>;
}

/** Names the folder of a record on its shelf. */
export function folderOf(key: RecordKey): string {
  return keyText(key.slice(0, -1));
}

/** Returns the keys of the records that lie in a segment of the folder of `key`, by where their lines begin. */
export function linesOnShelf(
  { entries }: RecordShelf,
  key: RecordKey,
  file: string,
): Map<number, RecordKey[]> {
  const folder = folderOf(key);
  const lines = new Map<number, RecordKey[]>();
  for (const entry of entries.values()) {
    const { segment } = entry;
    if (segment?.file !== file || folderOf(entry.key) !== folder) continue;
    const line = lines.get(segment.at);
    if (line === undefined) lines.set(segment.at, [entry.key]);
    else line.push(entry.key);
  }
  return lines;
}

/** Makes an empty shelf. */
export function createShelf(
  collection: string,
  definition: CollectionDefinition | undefined,
): RecordShelf {
  return {
    collection,
    definition,
    entries: new Map(),
    words: new Map(),
    quarantined: new Map(),
    segments: new Map(),
  };
}

/** Length of `"later"` in the journal. */
const laterBytes = 7;

/** The keys of records that an older ctx put without their words. */
export function withoutWords(shelf: RecordShelf, read: WordsReader): RecordKey[] {
  return [...shelf.words].flatMap(([name, words]) => {
    const found = isPlace(words) && words.length === laterBytes ? read(words) : words;
    const entry = shelf.entries.get(name);
    return found === 'later' && entry !== undefined ? [entry.key] : [];
  });
}

function isPlace(words: RecordWords | BytePlace): words is BytePlace {
  return words !== 'later' && typeof words['at' as keyof typeof words] === 'number';
}

/** The search words of a record. */
export function wordsOnShelf(shelf: RecordShelf, key: string, read: WordsReader): RecordWords {
  const words = shelf.words.get(key) ?? noWords;
  return isPlace(words) ? read(words) : words;
}

function noteSegment({ segments }: RecordShelf, key: RecordKey, place: SegmentPlace): void {
  const folder = folderOf(key);
  const { file, at, length } = place;
  const before = segments.get(folder);
  const end = at + length + 1;
  if (before === undefined || before.file < file) segments.set(folder, { file, end });
  else if (before.file === file && before.end < end) segments.set(folder, { file, end });
}

/** Puts a record on the shelf, or in the place of what was there, and gives its entry. */
export function putOnShelf(shelf: RecordShelf, step: PutStep, write: number): IndexEntry {
  const { definition } = shelf;
  const { key, version, words, segment } = step;
  const name = keyText(key);
  const columns = definition ? completeColumns(definition, step.columns) : step.columns;
  const entry: IndexEntry = { key, version, columns, body: '', words: noWords, write, segment };
  if (segment !== undefined) noteSegment(shelf, key, segment);
  shelf.entries.set(name, entry);
  shelf.quarantined.delete(name);
  if (words !== undefined && Object.keys(words).length > 0) shelf.words.set(name, words);
  else if (words !== undefined) shelf.words.delete(name);
  return entry;
}

/** Gives a record the words that were found in it, unless it has changed since. Tells whether it has them now. */
export function findOnShelf(shelf: RecordShelf, { key, write, words }: FoundWords): boolean {
  const name = keyText(key);
  if (shelf.entries.get(name)?.write !== write) return false;
  shelf.words.set(name, words);
  return true;
}

/** Takes a record off the shelf. */
export function takeFromShelf(shelf: RecordShelf, step: DeleteStep | QuarantineStep): void {
  const { key } = step;
  const name = keyText(key);
  shelf.entries.delete(name);
  shelf.words.delete(name);
  if (step.change === 'quarantine') shelf.quarantined.set(name, { key, movedTo: step.movedTo });
  else shelf.quarantined.delete(name);
}

/** All that is on the shelf, as lines of a new journal. */
export function* shelfLines(shelf: RecordShelf, read: WordsReader): Generator<WriteLine> {
  const { collection } = shelf;
  for (const [name, { key, version, columns, write, segment }] of shelf.entries) {
    const words = wordsOnShelf(shelf, name, read);
    const step: PutStep = {
      change: 'put',
      collection,
      key,
      version,
      columns,
      temporary: '',
      words,
      segment,
    };
    yield { type: 'write', write, steps: [step] };
  }
  for (const { key, movedTo } of shelf.quarantined.values()) {
    yield { type: 'write', write: 0, steps: [{ change: 'quarantine', collection, key, movedTo }] };
  }
}
