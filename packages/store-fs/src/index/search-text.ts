import {
  type CollectionDefinition,
  createMemoryPlace,
  memoryBackend,
  type SearchHit,
  type SearchQuery,
} from '@ctx/store/backend';
import { type RecordShelf, type WordsReader, wordsOnShelf } from './record-shelf.ts';

/** A step of building ends after so many records, or characters of words: then whatever else waits has its turn. */
const stepRecords = 256;
const stepCharacters = 100_000;

/** The full text of the collections that have search fields, each built at its first search, in steps. */
export interface SearchText {
  /** Follows a change of the shelf. */
  update(shelf: RecordShelf, key: string): void;
  /** @throws `CTX_STORE_CLOSED` where the journal was closed while its words were read. */
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
  /** By collection: done once its words are there. What changes from the beginning on is followed. */
  const builds = new Map<string, Promise<void>>();

  /** Gives how many characters of words it took in. */
  const set = (shelf: RecordShelf, key: string): number => {
    const entry = shelf.entries.get(key);
    const collection = place.collections.get(shelf.collection);
    if (entry === undefined) {
      collection?.replace(key, undefined);
      return 0;
    }
    const found = wordsOnShelf(shelf, key, readWords);
    const words = found === 'later' ? {} : found;
    collection?.replace(key, { ...entry, words });
    return Object.values(words).reduce((sum, { length }) => sum + length, 0);
  };
  const build = async (shelf: RecordShelf): Promise<void> => {
    let [records, characters] = [0, 0];
    for (const key of [...shelf.words.keys()]) {
      characters += set(shelf, key);
      records += 1;
      if (records < stepRecords && characters < stepCharacters) continue;
      [records, characters] = [0, 0];
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const builtOnce = (shelf: RecordShelf): Promise<void> => {
    const { collection } = shelf;
    const known = builds.get(collection);
    if (known !== undefined) return known;
    const building = build(shelf);
    builds.set(collection, building);
    building.catch(() => builds.delete(collection));
    return building;
  };
  return {
    update(shelf, key) {
      if (builds.has(shelf.collection)) set(shelf, key);
    },
    async search(query, shelf) {
      await builtOnce(shelf);
      return await backend.search(query);
    },
  };
}
