import type { ContextItem, ItemSummary } from '@ctx/core';
import { importanceOf, rankRangeOf, type Tier } from '@ctx/core';
import { collectScan } from '../../backend/indexes/map-scan.ts';
import type { StoredRecord } from '../../backend/store-backend.ts';
import type { IndexRange } from '../../records/collection-access.ts';
import { decodeCursor, encodeCursor } from '../../records/cursor.ts';
import { checkLimit, type Page, type PageRequest, readPage } from '../../records/pages.ts';
import { contentOf, itemOf, itemSummaryOf } from '../item-record.ts';
import { contextNow, type ItemStore } from '../item-store.ts';
import { checkName } from '../save/draft-item.ts';
import { type ItemFilter, type FirstPages, readKnown } from './first-pages.ts';

/** The columns of a brief. */
const briefColumns = ['kind', 'rank'] as const;

/** A page of items. */
export type ItemListRequest = ItemFilter & PageRequest;

/** One range of one index, whatever the filter. */
async function rangeOf(
  store: ItemStore,
  agentId: string,
  { kind, tier, archived = false }: ItemFilter,
): Promise<IndexRange> {
  checkName(agentId, 'agentId');
  const { agentNow, policy } = await contextNow(store, agentId);
  const equal = [agentId, archived ? 1 : 0];
  return {
    ...(kind === undefined
      ? { index: 'by_rank', equal }
      : { index: 'by_kind', equal: [...equal, kind] }),
    ...(tier === undefined ? {} : { range: rankRangeOf(tier, agentNow, policy) }),
  };
}

/**
 * A page of items, most important first. Reads nothing if the same first page was asked for before and nothing was written since, but
 * for the lower tiers, which time fills.
 */
export async function listItems(
  store: ItemStore,
  agentId: string,
  { known, ...request }: ItemListRequest & { readonly known: FirstPages<ContextItem> },
): Promise<Page<ContextItem>> {
  const { limit, after, ...filter } = request;
  checkName(agentId, 'agentId');
  const moment = await contextNow(store, agentId);
  const page = {
    ...(limit === undefined ? {} : { limit }),
    ...(after === undefined ? {} : { after }),
  };
  const read = async (): Promise<Page<ContextItem>> => {
    const range = await rangeOf(store, agentId, filter);
    return readPage(store.collection, { ...range, descending: true, decode: itemOf }, page);
  };
  const found = await readKnown(store, { agentId, filter, page, moment }, { known, read });
  // What a caller does to its items must not reach those that are kept.
  return { ...found, entries: found.entries.map((item) => ({ ...item })) };
}

/** What a prompt needs of an item. */
export interface ItemBrief {
  readonly id: string;
  readonly kind: string;
  readonly content: string;
  /** At this moment, 0…1. */
  readonly importance: number;
  readonly tier: Tier;
}

/** An item as its row has it: how important it is changes with time. */
export interface RankedItem {
  readonly id: string;
  readonly kind: string;
  readonly content: string;
  readonly rank: number;
}

function rankedOf(record: StoredRecord): RankedItem {
  const { kind, rank } = record.columns;
  const content = contentOf(record);
  return { id: record.key[1] ?? '', kind: String(kind), content, rank: Number(rank) };
}

/** A page of briefs, and what is known of those that were asked for before. */
export interface BriefRequest {
  readonly tier: Tier;
  readonly page: PageRequest;
  readonly known: FirstPages<RankedItem>;
}

/**
 * A page of what a prompt needs, most important first: as {@link listItems}, for a quarter of the columns; nothing where the
 * first page of the hot items was asked for before and nothing was written since.
 */
export async function listBriefs(
  store: ItemStore,
  agentId: string,
  { tier, page, known }: BriefRequest,
): Promise<Page<ItemBrief>> {
  const moment = await contextNow(store, agentId);
  const filter = { tier };
  const read = async (): Promise<Page<RankedItem>> => {
    const range = await rangeOf(store, agentId, filter);
    const query = { descending: true, columns: briefColumns, decode: rankedOf, ...range };
    return readPage(store.collection, query, page);
  };
  const asked = { agentId, filter, page, moment };
  const { entries, next, unreadable } = await readKnown(store, asked, { known, read });
  const briefs = entries.map(({ id, kind, content, rank }) => ({
    id,
    kind,
    content,
    importance: importanceOf(rank, moment.agentNow, moment.policy),
    tier,
  }));
  return {
    entries: briefs,
    ...(next === undefined ? {} : { next }),
    ...(unreadable && { unreadable }),
  };
}

/** All of them without their contents, most important first. */
export async function* eachItem(
  store: ItemStore,
  agentId: string,
  filter: ItemFilter,
): AsyncGenerator<ItemSummary> {
  const range = await rangeOf(store, agentId, filter);
  for await (const record of store.collection.scan({ ...range, descending: true, part: 'columns' }))
    yield itemSummaryOf(record);
}

/** Items whose content was saved at or after a moment, oldest save first. */
export async function itemsChangedSince(
  { collection }: ItemStore,
  [agentId, since]: readonly [string, number],
  request: PageRequest,
): Promise<Page<ItemSummary>> {
  checkName(agentId, 'agentId');
  const range = { index: 'by_change', equal: [agentId], range: { from: since } };
  return readPage(collection, { ...range, part: 'columns', decode: itemSummaryOf }, request);
}

/** The agents that have items, in the order of their ids. Costs one step of the key's index for each. */
export async function listAgents(
  { collection }: ItemStore,
  { limit: given = 100, after }: PageRequest,
): Promise<Page<string>> {
  const limit = checkLimit(given);
  const agents: string[] = [];
  let last = after === undefined ? undefined : decodeCursor(after).key[0];
  for (;;) {
    const found: string | undefined = await agentBehind(collection, last);
    if (found === undefined) return { entries: agents };
    if (agents.length === limit) {
      return { entries: agents, next: encodeCursor({ values: [], key: [last ?? ''] }) };
    }
    agents.push(found);
    last = found;
  }
}

async function agentBehind(
  collection: ItemStore['collection'],
  last: string | undefined,
): Promise<string | undefined> {
  const range = last === undefined ? {} : { range: { from: last, fromExclusive: true } };
  const query = { index: 'key', ...range, limit: 1, part: 'columns' } as const;
  const [next] = await collectScan(collection.scan(query));
  return next?.key[0];
}
