import { fingerprint } from '../content/fingerprint.ts';
import { CtxError } from '../errors.ts';
import type { ContextItem } from '../records/context-item.ts';
import type { ImportancePolicy } from '../scoring/importance-policy.ts';
import { rankOf } from '../scoring/rank.ts';
import { rankRangeOf, type Tier, tiers } from '../scoring/tier.ts';
import { accessCollection, type CollectionAccess } from './collection-access.ts';
import { itemsCollection } from './collections.ts';
import { contentOfBody, itemWords } from './item-body.ts';
import { type Page, type PageRequest, readPage } from './pages.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import type { PutOperation, StoredRecord } from './store-backend.ts';
import type { StoreHost } from './store-host.ts';

/** What a caller saves. */
export interface ItemInput {
  readonly agentId: string;
  readonly kind: string;
  readonly content: string;
  /** Default false. */
  readonly pinned?: boolean;
}

/** Items and tokens of one tier. */
export interface TierTally {
  readonly tier: Tier;
  readonly items: number;
  readonly tokens: number;
}

/** The items of one tenant's agents. Every call names the agent and sees that agent's items only. */
export interface ItemService {
  save(input: ItemInput): Promise<ContextItem>;
  get(agentId: string, itemId: string): Promise<ContextItem | undefined>;
  /** The items of a tier at this moment, most important first. Does not count as an access. */
  inTier(agentId: string, tier: Tier, request?: PageRequest): Promise<Page<ContextItem>>;
  /** Counts by tier at this moment. Cost: three index ranges, no rows where the backend keeps tallies. */
  tally(agentId: string): Promise<readonly TierTally[]>;
  /** Counts an access: raises the rank, rewrites one row. Throws: `CTX_NOT_FOUND`. */
  touch(agentId: string, itemId: string): Promise<void>;
  delete(agentId: string, itemId: string): Promise<void>;
}

function contentOf(record: StoredRecord): string {
  const content = contentOfBody(record);
  if (content !== undefined) return content;
  throw new CtxError('CTX_STORE_CORRUPT', `item ${record.key.join(' / ')} has no content`);
}

function itemOf(record: StoredRecord): ContextItem {
  const { columns } = record;
  return {
    id: record.key[1] ?? '',
    agentId: record.key[0] ?? '',
    kind: String(columns['kind']),
    content: contentOf(record),
    rank: Number(columns['rank']),
    accessCount: Number(columns['access_count']),
    createdAt: Number(columns['created_at']),
    lastAccessedAt: Number(columns['last_accessed_at']),
    pinned: columns['pinned'] !== 0,
    archived: columns['archived'] !== 0,
    fingerprint: String(columns['fingerprint']),
    tokens: Number(columns['tokens']),
  };
}

/** Measures and ranks a new item. */
function newItem(
  host: StoreHost,
  { agentId, kind, content: given, pinned = false }: ItemInput,
): ContextItem {
  const content = host.redactor.redact(given).value;
  const now = host.clock();
  const ages = { createdAt: now, lastAccessedAt: now, accessCount: 0 };
  return {
    id: host.ids(),
    agentId,
    kind,
    content,
    ...ages,
    rank: rankOf({ kind, pinned, ...ages }, host.importancePolicy),
    pinned,
    archived: false,
    fingerprint: fingerprint(content),
    tokens: host.countTokens(content),
  };
}

function putOf(collection: CollectionAccess, item: ContextItem): PutOperation {
  return collection.put({
    key: [item.agentId, item.id],
    columns: {
      kind: item.kind,
      rank: item.rank,
      access_count: item.accessCount,
      created_at: item.createdAt,
      last_accessed_at: item.lastAccessedAt,
      pinned: item.pinned ? 1 : 0,
      archived: item.archived ? 1 : 0,
      fingerprint: item.fingerprint,
      tokens: item.tokens,
    },
    body: JSON.stringify({ content: item.content }),
    words: itemWords(item.content),
    expectVersion: 0,
  });
}

/** The columns that change when an item is read at `now`. */
function touchedColumns(columns: StoredRecord['columns'], now: number, policy: ImportancePolicy) {
  const accessCount = Number(columns['access_count']) + 1;
  const lastAccessedAt = Math.max(now, Number(columns['last_accessed_at']));
  const kind = String(columns['kind']);
  const createdAt = Number(columns['created_at']);
  const pinned = columns['pinned'] !== 0;
  const rank = rankOf({ kind, accessCount, createdAt, lastAccessedAt, pinned }, policy);
  return { access_count: accessCount, last_accessed_at: lastAccessedAt, rank };
}

/** Makes the service. Cost: none until used. */
export function itemService(host: StoreHost): ItemService {
  const { backend, importancePolicy: policy } = host;
  const collection = accessCollection(backend, itemsCollection, host.tenant);
  const rangeOf = (agentId: string, tier: Tier, now: number) => ({
    index: 'by_rank',
    equal: [agentId, 0],
    range: rankRangeOf(tier, now, policy),
  });
  const tallyTier = async (agentId: string, tier: Tier, now: number): Promise<TierTally> => {
    const [found] = await collection.tally({ ...rangeOf(agentId, tier, now), sums: ['tokens'] });
    return { tier, items: found?.count ?? 0, tokens: found?.sums[0] ?? 0 };
  };
  return {
    save: async (input) => {
      const item = newItem(host, input);
      await backend.write([putOf(collection, item)]);
      return item;
    },
    get: async (agentId, itemId) => {
      const record = await collection.get([agentId, itemId]);
      return record && itemOf(record);
    },
    inTier: (agentId, tier, request = {}) => {
      const range = rangeOf(agentId, tier, host.clock());
      return readPage(collection, { ...range, descending: true, decode: itemOf }, request);
    },
    tally: (agentId) => {
      const now = host.clock();
      return Promise.all(tiers.map((tier) => tallyTier(agentId, tier, now)));
    },
    touch: (agentId, itemId) =>
      retryOnConflict(async () => {
        const key = [agentId, itemId];
        const record = await collection.get(key, 'columns');
        if (record === undefined) throw new CtxError('CTX_NOT_FOUND', `there is no item ${itemId}`);
        const columns = touchedColumns(record.columns, host.clock(), policy);
        await backend.write([collection.patch({ key, columns, expectVersion: record.version })]);
      }),
    delete: async (agentId, itemId) => {
      await backend.write([collection.remove({ key: [agentId, itemId] })]);
    },
  };
}
