import { invalidInput } from '../check/check-value.ts';
import { copyRecord } from '../copy-record.ts';
import type { OpenOptions } from '../store-backend.ts';
import type { MemoryCollection } from './memory-collection.ts';

/** What finds the words of records, by collection. */
export type WordsOf = NonNullable<OpenOptions['wordsOf']>;

/** So many records' words wait for a search; then a write takes them in, so that no search has to find those of very many. */
const mostWaiting = 32;

/** Finds the words of all records that wait, if there are more than `most`. Cost: that of all of them. */
export function takeInWords(collection: MemoryCollection, wordsOf: WordsOf, most: number): void {
  if (collection.waits() <= most) return;
  const waiting = collection.waiting();
  const { name } = collection.definition;
  const find = Object.hasOwn(wordsOf, name) ? wordsOf[name] : undefined;
  if (find === undefined) {
    throw invalidInput(`the store was not opened with what finds the words of ${name}`);
  }
  for (const record of waiting) collection.takeIn(record, find(copyRecord(record)));
}

/** Finds the words of the records of each collection in which too many wait. */
export function takeInMany(
  collections: ReadonlyMap<string, MemoryCollection>,
  wordsOf: WordsOf,
): void {
  for (const name of Object.keys(wordsOf)) {
    const collection = collections.get(name);
    if (collection !== undefined) takeInWords(collection, wordsOf, mostWaiting);
  }
}
