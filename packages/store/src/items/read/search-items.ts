import type { ContextItem } from '@ctx/core';
import { tierOf } from '@ctx/core';
import type { SearchHit, StoredRecord } from '../../backend/store-backend.ts';
import { checkLimit } from '../../records/pages.ts';
import {
  type FoundRecord,
  type SearchMatch,
  searchByTerms,
} from '../../records/search-by-terms.ts';
import { contentOfBody } from '../item-body.ts';
import { itemOf } from '../item-record.ts';
import { contextNow, type ItemStore } from '../item-store.ts';
import { readAndCount } from '../save/change-items.ts';
import { checkName } from '../save/draft-item.ts';
import type { ItemFilter } from './first-pages.ts';

/** What to look for. */
export interface ItemSearch extends ItemFilter {
  /** Words, and phrases in double quotes. */
  readonly text: string;
  /** Default 20, at most 1,000. */
  readonly limit?: number;
  /** Do not count the hits as accesses. Default false. */
  readonly peek?: boolean;
}

export interface ItemHit {
  readonly item: ContextItem;
  /** Higher is better; comparable within one answer only, and there among hits of one `match`. */
  readonly score: number;
  readonly match: SearchMatch;
}

/** What was found. */
export interface ItemSearchAnswer {
  /** Those that hold all words and phrases first, then those that hold some; best first. */
  readonly hits: readonly ItemHit[];
  /** False where more items may match than were looked at or asked for. */
  readonly isComplete: boolean;
}

function filterOf(
  { kind, tier, archived = false }: ItemFilter,
  context: Awaited<ReturnType<typeof contextNow>> | undefined,
): (record: StoredRecord) => boolean {
  return ({ columns }) =>
    (columns['archived'] !== 0) === archived &&
    (kind === undefined || columns['kind'] === kind) &&
    (context === undefined ||
      tierOf(Number(columns['rank']), context.agentNow, context.policy) === tier);
}

interface Found {
  readonly found: readonly FoundRecord[];
  readonly isComplete: boolean;
  /** What was read of those found, by id. */
  readonly records: ReadonlyMap<string, StoredRecord>;
}

/** The best matches that pass. Few are read whole, since most of them are wanted. */
async function find(
  store: ItemStore,
  agentId: string,
  { text, limit, filter }: { text: string; limit: number; filter: ItemFilter },
): Promise<Found> {
  const { collection } = store;
  // The agent's time is needed, and read, for a tier only.
  const context = filter.tier === undefined ? undefined : await contextNow(store, agentId);
  const isWanted = filterOf(filter, context);
  const records = new Map<string, StoredRecord>();
  const read = async (hits: readonly SearchHit[]): Promise<(StoredRecord | undefined)[]> => {
    const given = hits.flatMap(({ record }) => record ?? []);
    const isGiven = given.length === hits.length;
    const keys = hits.map(({ key }) => key);
    if (!isGiven && keys.length > limit + 2) return collection.getMany(keys, 'columns');
    const whole = isGiven ? given : await collection.getMany(keys);
    for (const record of whole) if (record !== undefined) records.set(record.key[1] ?? '', record);
    return whole;
  };
  const answer = await searchByTerms({
    collection,
    equal: [agentId],
    text,
    limit,
    keep: async (hits) =>
      (await read(hits)).map((record) => record !== undefined && isWanted(record)),
    textsOf: async (key) => {
      const record = await collection.get(key);
      return [(record && contentOfBody(record)) ?? ''];
    },
  });
  return { ...answer, records };
}

async function readItems(
  { collection }: ItemStore,
  agentId: string,
  { found, records }: Found,
): Promise<(ContextItem | undefined)[]> {
  const missing = found.filter(({ key }) => !records.has(key[1] ?? ''));
  if (missing.length === 0) {
    return found.map(({ key: [, id = ''] }) => {
      const record = records.get(id);
      return record && itemOf(record);
    });
  }
  const keys = missing.map(({ key }) => [agentId, key[1] ?? '']);
  const read = await collection.getMany(keys);
  const others = new Map(missing.map(({ key }, at) => [key[1], read[at]]));
  return found.map(({ key: [, id = ''] }) => {
    const record = records.get(id) ?? others.get(id);
    return record && itemOf(record);
  });
}

/**
 * Finds an agent's items by words and phrases and counts that as an access of each hit, in one write.
 * @throws `CTX_STORE_UNSUPPORTED` where the backend has no search.
 */
export async function searchItems(
  store: ItemStore,
  agentId: string,
  { text, limit: given = 20, peek = false, ...filter }: ItemSearch,
): Promise<ItemSearchAnswer> {
  checkName(agentId, 'agentId');
  const limit = checkLimit(given);
  const answer = await find(store, agentId, { text, limit, filter });
  const { found, isComplete } = answer;
  const ids = found.map(({ key }) => key[1] ?? '');
  const items = peek
    ? await readItems(store, agentId, answer)
    : await readAndCount(store, agentId, ids);
  const hits = found.flatMap(({ score, match }, at) => {
    const item = items[at];
    return item === undefined ? [] : [{ item, score, match }];
  });
  return { hits, isComplete };
}
