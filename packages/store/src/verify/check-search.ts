import { isCtxError } from '@ctx/core';
import type { StoredRecord } from '../backend/store-backend.ts';
import { wordsOfRecord } from '../collections/record-words.ts';
import type { Finding } from './finding.ts';
import { type CheckPlace, readColumns, readRecords } from './read-records.ts';

/** So many records of one owner are looked up together. */
const together = 200;

/** No store holds more. */
const allHits = 1_000_000_000;

/** A record that should be found, and by what. */
interface Findable {
  readonly record: StoredRecord;
  readonly words: Readonly<Record<string, string>>;
  readonly longest: string;
}

/** Long words are rare: a look-up of one gives few others. */
function longestOf(words: Readonly<Record<string, string>>): string {
  const all = Object.values(words).flatMap((text) => text.split(' '));
  return all.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}

/** A record that cannot be read has no words: the check of its body tells. */
async function findableOf(
  { backend }: CheckPlace,
  collection: string,
  record: StoredRecord,
): Promise<Findable | undefined> {
  try {
    const words = (await wordsOfRecord(backend, collection, record)) ?? {};
    const longest = longestOf(words);
    return longest === '' ? undefined : { record, words, longest };
  } catch (error) {
    if (isCtxError(error, 'CTX_STORE_CORRUPT')) return undefined;
    throw error;
  }
}

/** Puts the record once more, as it is, with its words. */
function findingOf(collection: string, { record, words }: Findable): Finding {
  const { key, columns, body, version: expectVersion } = record;
  const put = { type: 'put', collection, key, columns, body, words, expectVersion } as const;
  const repair = { how: 'mended', keep: [], operations: [put] } as const;
  const what = 'a search does not find it';
  return { kind: 'not-found-by-search', collection, key, what, repair };
}

/** Those that stand as they were read: what was changed or destroyed meanwhile, such as by a purge, is no finding. */
async function unchanged(
  { backend }: CheckPlace,
  collection: string,
  missing: readonly Findable[],
): Promise<Findable[]> {
  const keys = missing.map(({ record }) => record.key);
  const now = await readColumns({ backend }, collection, keys);
  return missing.filter(({ record }, at) => now[at]?.version === record.version);
}

async function notFound(
  place: CheckPlace,
  collection: string,
  records: readonly Findable[],
): Promise<Finding[]> {
  const [first] = records;
  if (first === undefined) return [];
  const words = [...new Set(records.map(({ longest }) => longest))];
  const equal = first.record.key.slice(0, 2);
  const hits = await place.backend.search({ collection, equal, words, limit: allHits });
  const found = new Set(hits.map(({ key }) => JSON.stringify(key)));
  const missing = records.filter(({ record }) => !found.has(JSON.stringify(record.key)));
  return (await unchanged(place, collection, missing)).map((one) => findingOf(collection, one));
}

/**
 * Looks every record of a collection up by its longest word. Words that nothing holds any more are not noticed.
 * Makes one more pass over the collection, and a search for each 200 records.
 */
export async function* checkSearch(
  place: CheckPlace,
  collection: string,
): AsyncGenerator<Finding, void, undefined> {
  let waiting: Findable[] = [];
  let owner: string | undefined;
  for await (const read of readRecords({ ...place, onRecords: () => undefined }, collection)) {
    if (!('record' in read)) continue;
    const findable = await findableOf(place, collection, read.record);
    if (waiting.length >= together || read.record.key[1] !== owner) {
      yield* await notFound(place, collection, waiting);
      waiting = [];
    }
    owner = read.record.key[1];
    if (findable !== undefined) waiting.push(findable);
  }
  yield* await notFound(place, collection, waiting);
}
