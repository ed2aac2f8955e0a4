import {
  type CollectionDefinition,
  createMemoryPlace,
  memoryBackend,
  type SearchHit,
  type SearchQuery,
} from '@ctx/store/backend';
import { type RecordShelf, type WordsReader, wordsOnShelf } from './record-shelf.ts';

/** The full text of the collections that have search fields, each built at its first search. */
export interface SearchText {
  /** Follows a change of the shelf. */
  update(shelf: RecordShelf, key: string): void;
  search(query: SearchQuery, shelf: RecordShelf): Promise<SearchHit[]>;
}

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
    collection?.replace(key, { ...entry, words: words === 'later' ? {} : words });
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
    async search(query, shelf) {
      build(shelf);
      return await backend.search(query);
    },
  };
}
