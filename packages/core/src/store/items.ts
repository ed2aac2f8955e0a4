import { fingerprint } from '../content/fingerprint.ts';
import { CtxError } from '../errors.ts';
import type { ContextItem } from '../records/context-item.ts';
import { searchWords } from '../relevance/split-words.ts';
import { rankOf } from '../scoring/rank.ts';
import { rankRangeOf, type Tier, tiers } from '../scoring/tier.ts';
import { accessCollection } from './collection-access.ts';
import { itemsCollection } from './collections.ts';
import { type Page, type PageRequest, readPage } from './pages.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import type { StoredRecord } from './store-backend.ts';
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
  const body: unknown = JSON.parse(record.body);
  const content =
    typeof body === 'object' && body !== null && 'content' in body ? body.content : null;
  if (typeof content === 'string') return content;
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

/** Makes the service. Cost: none until used. */
export function itemService(host: StoreHost): ItemService {
  const { backend, importancePolicy: policy } = host;
  const collection = accessCollection(backend, itemsCollection, host.tenant);
  const rangeOf = (agentId: string, tier: Tier, now: number) => ({
    index: 'by_rank',
    equal: [agentId, 0],
    range: rankRangeOf(tier, now, policy),
  });
  const save: ItemService['save'] = async ({ agentId, kind, content, pinned = false }) => {
    const now = host.clock();
    const ages = { createdAt: now, lastAccessedAt: now, accessCount: 0 };
    const item: ContextItem = {
      id: host.ids(),
      agentId,
      kind,
      content,
      ...ages,
      rank: rankOf({ kind, pinned, ...ages }, policy),
      pinned,
      archived: false,
      fingerprint: fingerprint(content),
      tokens: host.countTokens(content),
    };
    const put = collection.put({
      key: [agentId, item.id],
      columns: {
        kind,
        rank: item.rank,
        access_count: 0,
        created_at: now,
        last_accessed_at: now,
        pinned: pinned ? 1 : 0,
        archived: 0,
        fingerprint: item.fingerprint,
        tokens: item.tokens,
      },
      body: JSON.stringify({ content }),
      words: { content: searchWords(content).join(' ') },
      expectVersion: 0,
    });
    await backend.write([put]);
    return item;
  };
  return {
    save,
    get: async (agentId, itemId) => {
      const record = await collection.get([agentId, itemId]);
      return record && itemOf(record);
    },
    inTier: (agentId, tier, request = {}) =>
      readPage(
        collection,
        { ...rangeOf(agentId, tier, host.clock()), descending: true },
        request,
        itemOf,
      ),
    tally: async (agentId) => {
      const now = host.clock();
      return Promise.all(
        tiers.map(async (tier) => {
          const range = rangeOf(agentId, tier, now);
          const [found] = await collection.tally({ ...range, sums: ['tokens'] });
          return { tier, items: found?.count ?? 0, tokens: found?.sums[0] ?? 0 };
        }),
      );
    },
    touch: (agentId, itemId) =>
      retryOnConflict(async () => {
        const record = await collection.get([agentId, itemId], 'columns');
        if (record === undefined) throw new CtxError('CTX_NOT_FOUND', `there is no item ${itemId}`);
        const { columns, version: expectVersion } = record;
        const touched = {
          access_count: Number(columns['access_count']) + 1,
          last_accessed_at: Math.max(host.clock(), Number(columns['last_accessed_at'])),
        };
        const rank = rankOf(
          {
            kind: String(columns['kind']),
            accessCount: touched.access_count,
            createdAt: Number(columns['created_at']),
            lastAccessedAt: touched.last_accessed_at,
            pinned: columns['pinned'] !== 0,
          },
          policy,
        );
        const key = [agentId, itemId];
        await backend.write([
          collection.patch({ key, columns: { ...touched, rank }, expectVersion }),
        ]);
      }),
    delete: async (agentId, itemId) => {
      await backend.write([collection.remove({ key: [agentId, itemId] })]);
    },
  };
}
