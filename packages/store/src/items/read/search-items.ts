import type { ContextItem, ItemSummary } from '@ctx/core';
import { CtxError, tierOf } from '@ctx/core';
import { searchWords } from '@ctx/relevance';
import { checkLimit } from '../../records/pages.ts';
import type { ChangeContext } from '../agent-clock.ts';
import { itemOf, itemSummaryOf } from '../item-record.ts';
import { contextNow, type ItemStore } from '../item-store.ts';
import { readAndCount } from '../save/change-items.ts';
import { checkName } from '../save/draft-item.ts';
import type { ItemFilter } from './list-items.ts';

/** What to look for. */
export interface ItemSearch extends ItemFilter {
  readonly text: string;
  /** Default 20, at most 1,000. */
  readonly limit?: number;
  /** Do not count the hits as accesses. Default false. */
  readonly peek?: boolean;
}

export interface ItemHit {
  readonly item: ContextItem;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
}

/** What was found. */
export interface ItemSearchAnswer {
  /** Best first. */
  readonly hits: readonly ItemHit[];
  /** False where more items may match than were looked at or asked for. */
  readonly isComplete: boolean;
}

/** Most different words of a query that are looked for. */
const maxQueryWords = 256;

/** Matches that are looked at for those that pass the filter. */
const mostCandidates = 1000;

function passes(
  { kind, tier, archived = false }: ItemFilter,
  { agentNow, policy }: ChangeContext,
): (item: ItemSummary) => boolean {
  return (item) =>
    item.archived === archived &&
    (kind === undefined || item.kind === kind) &&
    (tier === undefined || tierOf(item.rank, agentNow, policy) === tier);
}

interface Found {
  readonly id: string;
  readonly score: number;
}

/** The best matches that pass. */
async function find(
  store: ItemStore,
  agentId: string,
  { words, limit, filter }: { words: string[]; limit: number; filter: ItemFilter },
): Promise<{ found: Found[]; isComplete: boolean }> {
  const { collection } = store;
  const hits = await collection.search({ equal: [agentId], words, limit: mostCandidates });
  const records = await collection.getMany(
    hits.map(({ key }) => key),
    'columns',
  );
  const isWanted = passes(filter, await contextNow(store, agentId));
  const passing = hits.filter((_, at) => {
    const record = records[at];
    return record !== undefined && isWanted(itemSummaryOf(record));
  });
  const found = passing.slice(0, limit).map(({ key, score }) => ({ id: key[1] ?? '', score }));
  return { found, isComplete: hits.length < mostCandidates && passing.length <= limit };
}

async function readItems(
  { collection }: ItemStore,
  agentId: string,
  ids: readonly string[],
): Promise<(ContextItem | undefined)[]> {
  const records = await collection.getMany(ids.map((id) => [agentId, id]));
  return records.map((record) => record && itemOf(record));
}

/**
 * Finds an agent's items by words, best first, and counts that as an access of each hit, in one write.
 * Throws: `CTX_STORE_UNSUPPORTED` where the backend has no search.
 */
export async function searchItems(
  store: ItemStore,
  agentId: string,
  { text, limit: given = 20, peek = false, ...filter }: ItemSearch,
): Promise<ItemSearchAnswer> {
  checkName(agentId, 'agentId');
  if (typeof text !== 'string') throw new CtxError('CTX_INVALID_INPUT', 'text must be a text');
  const limit = checkLimit(given);
  const words = [...new Set(searchWords(text))].slice(0, maxQueryWords);
  if (words.length === 0) return { hits: [], isComplete: true };
  const { found, isComplete } = await find(store, agentId, { words, limit, filter });
  const ids = found.map(({ id }) => id);
  const items = await (peek ? readItems : readAndCount)(store, agentId, ids);
  const hits = found.flatMap(({ score }, at) => {
    const item = items[at];
    return item === undefined ? [] : [{ item, score }];
  });
  return { hits, isComplete };
}
