import type { ContextItem, ItemSummary, Tier } from '@ctx/core';
import { CtxError, explainImportance, type ImportanceParts, importanceOf, tierOf } from '@ctx/core';
import { keepContents } from '../checkpoints/manifest/keep-contents.ts';
import type { Page, PageRequest } from '../records/pages.ts';
import { knownReads } from '../records/read-cache.ts';
import { retryOnConflict } from '../records/retry-on-conflict.ts';
import type { StoreHost } from '../store-host.ts';
import { actOperations, asRanked } from './agent-clock.ts';
import { itemOf, itemSummaryOf } from './item-record.ts';
import { type ItemStats, itemStats, type KnownCounts } from './item-stats.ts';
import { contextNow, type ItemStore, itemStore, lastContext } from './item-store.ts';
import type { ItemFilter, FirstPages } from './read/first-pages.ts';
import {
  eachItem,
  type ItemBrief,
  type ItemListRequest,
  itemsChangedSince,
  listAgents,
  listBriefs,
  listItems,
  type RankedItem,
} from './read/list-items.ts';
import { type ItemLoad, type LoadRequest, loadItems } from './read/load-items.ts';
import { type ItemSearch, type ItemSearchAnswer, searchItems } from './read/search-items.ts';
import { type ChangeCondition, changeItem, readAndCount } from './save/change-items.ts';
import { checkName, type ItemInput } from './save/draft-item.ts';
import type { ItemAction, ItemChange } from './save/plan-change.ts';
import type { ItemSaved } from './save/plan-save.ts';
import { saveItems } from './save/save-items.ts';
import {
  type TierChanges,
  type TierChangesRequest,
  tierChangesSince,
} from './tiers/tier-changes.ts';

/**
 * Does one thing to one item.
 * @throws `CTX_NOT_FOUND`.
 */
export type ChangeItem = (agentId: string, itemId: string) => Promise<ItemChange>;

/**
 * The items of one tenant's agents. Every call names the agent and sees that agent's items only: ids of another agent or tenant are
 * unknown. Receipts say what is needed to tell others: the tier before and after.
 */
export interface ItemService {
  /**
   * Saves one item: a new one, or another content of one that is there.
   * @throws `CTX_INVALID_INPUT`, `CTX_TOO_LARGE`.
   */
  save(input: ItemInput): Promise<ItemSaved>;
  /** Saves all of them or none, in one write, at most 10,000. */
  saveMany(inputs: readonly ItemInput[]): Promise<readonly ItemSaved[]>;
  /**
   * Reads an item and counts that as an access; with `peek` it does not count.
   * @throws `CTX_STORE_CORRUPT`.
   */
  get(
    agentId: string,
    itemId: string,
    options?: { readonly peek?: boolean },
  ): Promise<ContextItem | undefined>;
  /** A tier within a token budget, for the prompt. Does not count as an access: that would feed on itself. */
  load(agentId: string, request?: LoadRequest): Promise<ItemLoad>;
  /** All items of a tier (default hot) at this moment, most important first, page by page. Does not count as an access. */
  inTier(agentId: string, tier?: Tier, request?: PageRequest): Promise<Page<ContextItem>>;
  /** The same, of each item only what a prompt needs. */
  briefs(agentId: string, tier?: Tier, request?: PageRequest): Promise<Page<ItemBrief>>;
  /** Items by kind, tier or archive, most important first. Does not count as an access. */
  list(agentId: string, request?: ItemListRequest): Promise<Page<ContextItem>>;
  /** The same without contents and without pages, for manifests. Costs one step of an index each. */
  each(agentId: string, filter?: ItemFilter): AsyncIterable<ItemSummary>;
  /** Finds items by words, best first. Counts as an access of each hit, unless `peek`. */
  search(agentId: string, request: ItemSearch): Promise<ItemSearchAnswer>;
  /** Counts by tier at this moment. */
  stats(agentId: string): Promise<ItemStats>;
  /** Agents that have items, in the order of their ids. */
  agents(request?: PageRequest): Promise<Page<string>>;
  /** Counts an access: raises the rank, rewrites one row. */
  readonly touch: ChangeItem;
  /** A pinned item ranks before all others and stays hot. */
  readonly pin: ChangeItem;
  readonly unpin: ChangeItem;
  /** Takes an item out of the tiers; it is kept, found with `archived`, and comes back with `unarchive` or a save. */
  readonly archive: ChangeItem;
  readonly unarchive: ChangeItem;
  /** Says that it is over: from now on it is cold however often it is read, unless it is pinned. */
  readonly finish: ChangeItem;
  readonly reopen: ChangeItem;
  /**
   * Does several of these to one item in one write, on a condition.
   * @throws `CTX_NOT_FOUND`; what `check` throws.
   */
  change(
    agentId: string,
    itemId: string,
    request: ChangeCondition & { readonly actions: readonly ItemAction[] },
  ): Promise<ItemChange>;
  /**
   * Takes an item away for good, but for the checkpoints that name it: they keep its content, and can bring it back, until they are
   * deleted themselves or `checkpoints.purge` is called. False where there was none.
   * @throws what `check` throws.
   */
  delete(agentId: string, itemId: string, condition?: ChangeCondition): Promise<boolean>;
  /**
   * Says that the agent takes a turn: its own time goes on. Saves, reads that count and flash saves say so too. While it does nothing
   * for longer than `pauseMs` of the policy, its items do not fade.
   */
  turn(agentId: string): Promise<void>;
  /**
   * Why an item matters as much as it does, now or at another moment (ms since the epoch). `next` is when its tier ends if the agent
   * goes on working. For items that this store has read: it knows the time of their agent.
   */
  explain(item: ItemSummary, at?: number): ImportanceParts;
  /** Where an item stands now, as `explain` says it, without the reasons. For items that this store has read. */
  standing(item: ItemSummary): Pick<ImportanceParts, 'tier' | 'importance'>;
  /**
   * Which items fell to a lower tier between `since` (ms since the epoch) and now because time passed, page by page. What was saved,
   * touched or changed otherwise since is not among them: the receipts of those calls say what became of it.
   */
  changedTiersSince(
    agentId: string,
    since: number,
    request?: TierChangesRequest,
  ): Promise<TierChanges>;
  /** Items whose content was saved as something new at or after `since` (ms since the epoch), oldest first, archived ones included. */
  changedSince(agentId: string, since: number, request?: PageRequest): Promise<Page<ItemSummary>>;
}

type Reads = Pick<
  ItemService,
  'get' | 'load' | 'inTier' | 'briefs' | 'list' | 'each' | 'search' | 'stats' | 'agents'
>;

function reads(store: ItemStore): Reads {
  const briefPages: FirstPages<RankedItem> = knownReads(store.host.readMark);
  const itemPages: FirstPages<ContextItem> = knownReads(store.host.readMark);
  const counts = knownReads<KnownCounts>(store.host.readMark);
  return {
    get: async (agentId, itemId, { peek = false } = {}) => {
      if (!peek) return (await readAndCount(store, agentId, [itemId]))[0];
      await contextNow(store, agentId);
      const record = await store.collection.get([agentId, itemId]);
      return record && itemOf(record);
    },
    load: (agentId, request = {}) => loadItems(store, agentId, request),
    inTier: (agentId, tier = 'hot', request = {}) =>
      listItems(store, agentId, { ...request, tier, known: itemPages }),
    briefs: (agentId, tier = 'hot', page = {}) =>
      listBriefs(store, agentId, { tier, page, known: briefPages }),
    list: (agentId, request = {}) => listItems(store, agentId, { ...request, known: itemPages }),
    each: (agentId, filter = {}) => eachItem(store, agentId, filter),
    search: (agentId, request) => searchItems(store, agentId, request),
    stats: (agentId) => itemStats(store, agentId, counts),
    agents: (request = {}) => listAgents(store, request),
  };
}

type Changes = Pick<ItemService, ItemAction | 'change' | 'delete'>;

function changes(store: ItemStore): Changes {
  const doing =
    (action: ItemAction): ChangeItem =>
    (agentId, itemId) =>
      changeItem(store, [agentId, itemId], { actions: [action] });
  return {
    touch: doing('touch'),
    pin: doing('pin'),
    unpin: doing('unpin'),
    archive: doing('archive'),
    unarchive: doing('unarchive'),
    finish: doing('finish'),
    reopen: doing('reopen'),
    change: (agentId, itemId, request) => changeItem(store, [agentId, itemId], request),
    delete: (agentId, itemId, { check } = {}) =>
      retryOnConflict(async () => {
        const key = [agentId, itemId];
        const record = await store.collection.get(key, 'columns');
        if (record === undefined) return false;
        check?.(itemSummaryOf(record));
        const removal = store.collection.remove({ key, expectVersion: record.version });
        const named = { agentId, itemIds: [itemId], reason: 'deleted' } as const;
        await store.host.backend.write([...(await keepContents(store.host, named)), removal]);
        return true;
      }),
  };
}

/** Notes an act of an agent that ever saved something. */
async function noteTurn(store: ItemStore, agentId: string): Promise<void> {
  checkName(agentId, 'agentId');
  await retryOnConflict(async () => {
    const context = await contextNow(store, agentId);
    if (context.clock.version === 0) return;
    const noted = actOperations(store.heads, [agentId, context.clock], context);
    if (noted.length > 0) await store.host.backend.write(noted);
  });
}

/** Explains with the time of the item's agent; `at` and `next` are of everybody's. */
function explainItem(store: ItemStore, item: ItemSummary, at: number): ImportanceParts {
  const context = lastContext(store, item.agentId);
  const agentAt = context.timeAt(at);
  const parts = explainImportance(asRanked(item, context), context.policy, agentAt);
  const later = at - agentAt;
  const { next } = parts;
  return {
    ...parts,
    at,
    ...(next === undefined ? {} : { next: { ...next, at: next.at + later } }),
  };
}

function standingOf(store: ItemStore, item: ItemSummary, at: number) {
  const context = lastContext(store, item.agentId);
  const agentAt = context.timeAt(at);
  const { rank } = asRanked(item, context);
  return {
    tier: tierOf(rank, agentAt, context.policy),
    importance: importanceOf(rank, agentAt, context.policy),
  };
}

/** Makes the service. Does nothing until used. */
export function itemService(host: StoreHost): ItemService {
  const store = itemStore(host);
  return {
    save: async (input) => {
      const [saved] = await saveItems(store, [input]);
      if (saved === undefined) throw new CtxError('CTX_INVALID_INPUT', 'there is nothing to save');
      return saved;
    },
    saveMany: (inputs) => saveItems(store, inputs),
    ...reads(store),
    ...changes(store),
    turn: (agentId) => noteTurn(store, agentId),
    explain: (item, at = host.clock()) => explainItem(store, item, at),
    standing: (item) => standingOf(store, item, host.clock()),
    changedTiersSince: (agentId, since, request = {}) =>
      tierChangesSince(store, [agentId, since], request),
    changedSince: (agentId, since, request = {}) => {
      checkName(agentId, 'agentId');
      return itemsChangedSince(store, [agentId, since], request);
    },
  };
}
