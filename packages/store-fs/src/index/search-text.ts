import {
  type CollectionDefinition,
  createMemoryPlace,
  keyText,
  memoryBackend,
  type SearchHit,
  type SearchQuery,
  type StoredRecord,
} from '@ctx/store/backend';
import { type RecordShelf, type WordsReader, wordsOnShelf } from './record-shelf.ts';

/** The full text of the collections that have search fields, each built at its first search. */
export interface SearchText {
  /** Follows a change of the shelf. */
  update(shelf: RecordShelf, key: string): void;
  /** The records whose words are still to be found in them. */
  waiting(shelf: RecordShelf): readonly WaitingRecord[];
  /** Gives such a record its words. False where it has changed since. */
  takeIn(
    shelf: RecordShelf,
    record: WaitingRecord,
    words: Readonly<Record<string, string>>,
  ): boolean;
  search(query: SearchQuery, shelf: RecordShelf): Promise<SearchHit[]>;
}

/** A record without words, as it was when it was asked for. */
export type WaitingRecord = Pick<StoredRecord, 'key'>;

/** Makes the full text; nothing is built yet. */
export async function createSearchText(
  definitions: readonly CollectionDefinition[],
  readWords: WordsReader,
): Promise<SearchText> {
  const place = createMemoryPlace();
  const backend = memoryBackend({ place });
  await backend.open(definitions.map((one) => ({ ...one, columns: {}, indexes: [] })));
  const built = new Set<string>();

  const set = (shelf: RecordShelf, key: string): void => {
    const entry = shelf.entries.get(key);
    const collection = place.collections.get(shelf.collection);
    if (entry === undefined) {
      collection?.replace(key, undefined);
      return;
    }
    const words = wordsOnShelf(shelf, key, readWords);
    const isLater = words === 'later';
    collection?.replace(key, { ...entry, words: isLater ? {} : words, wordsLater: isLater });
  };
  const build = (shelf: RecordShelf): void => {
    if (built.has(shelf.collection)) return;
    for (const key of shelf.words.keys()) set(shelf, key);
    built.add(shelf.collection);
  };
  return {
    update(shelf, key) {
      if (built.has(shelf.collection)) set(shelf, key);
    },
    waiting(shelf) {
      build(shelf);
      return place.collections.get(shelf.collection)?.waiting() ?? [];
    },
    takeIn(shelf, record, words) {
      const collection = place.collections.get(shelf.collection);
      const present = collection?.records.get(keyText(record.key));
      if (present === undefined || present !== record) return present === undefined;
      collection?.takeIn(present, words);
      return true;
    },
    async search(query, shelf) {
      build(shelf);
      return await backend.search(query);
    },
  };
}
