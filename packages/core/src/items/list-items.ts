import type { ContextItem, ItemSummary } from '../records/context-item.ts';
import { importanceOf } from '../scoring/importance.ts';
import { rankRangeOf, type Tier } from '../scoring/tier.ts';
import type { IndexRange } from '../store/collection-access.ts';
import { collectScan } from '../store/map-scan.ts';
import { checkLimit, type Page, type PageRequest, readPage } from '../store/pages.ts';
import { decodeCursor, encodeCursor } from '../store/cursor.ts';
import type { StoredRecord } from '../store/store-backend.ts';
import { checkName } from './draft-item.ts';
import { contentOf, itemOf, itemSummaryOf } from './item-record.ts';
import { contextNow, type ItemStore } from './item-store.ts';

/** Which items are wanted. */
export interface ItemFilter {
  readonly kind?: string;
  /** Default: all of them. */
  readonly tier?: Tier;
  /** The archived ones in place of the others. Default false. */
  readonly archived?: boolean;
}

/** The columns of a brief. */
const briefColumns = ['kind', 'rank'] as const;

/** A page of items. */
export type ItemListRequest = ItemFilter & PageRequest;

/** One range of one index, whatever the filter. */
function rangeOf(
  store: ItemStore,
  agentId: string,
  { kind, tier, archived = false }: ItemFilter,
): IndexRange {
  checkName(agentId, 'agentId');
  const { now, policy } = contextNow(store);
  const equal = [agentId, archived ? 1 : 0];
  return {
    ...(kind === undefined
      ? { index: 'by_rank', equal }
      : { index: 'by_kind', equal: [...equal, kind] }),
    ...(tier === undefined ? {} : { range: rankRangeOf(tier, now, policy) }),
  };
}

/** A page of items, most important first. */
export async function listItems(
  store: ItemStore,
  agentId: string,
  { limit, after, ...filter }: ItemListRequest,
): Promise<Page<ContextItem>> {
  const range = rangeOf(store, agentId, filter);
  const page = {
    ...(limit === undefined ? {} : { limit }),
    ...(after === undefined ? {} : { after }),
  };
  return readPage(store.collection, { ...range, descending: true, decode: itemOf }, page);
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

/** A page of what a prompt needs, most important first. Cost: as {@link listItems}, for a quarter of the columns. */
export async function listBriefs(
  store: ItemStore,
  [agentId, tier]: readonly [string, Tier],
  request: PageRequest,
): Promise<Page<ItemBrief>> {
  const range = rangeOf(store, agentId, { tier });
  const { now, policy } = contextNow(store);
  const decode = (record: StoredRecord): ItemBrief => ({
    id: record.key[1] ?? '',
    kind: String(record.columns['kind']),
    content: contentOf(record),
    importance: importanceOf(Number(record.columns['rank']), now, policy),
    tier,
  });
  return readPage(
    store.collection,
    { ...range, descending: true, columns: briefColumns, decode },
    request,
  );
}

/** All of them without their contents, most important first. */
export async function* eachItem(
  store: ItemStore,
  agentId: string,
  filter: ItemFilter,
): AsyncGenerator<ItemSummary> {
  const range = rangeOf(store, agentId, filter);
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

/** The agents that have items, in the order of their ids. Cost: one step of the key's index for each. */
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
