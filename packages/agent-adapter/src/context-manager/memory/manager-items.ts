import type { ContextItem } from '@ctx/core';
import type {
  ContextStore,
  ItemChange,
  ItemInput,
  ItemListRequest,
  ItemLoad,
  ItemSaved,
  ItemSearch,
  ItemSearchAnswer,
  ItemStats,
  LoadRequest,
  Page,
} from '@ctx/store';

type ChangeOne = (itemId: string) => Promise<ItemChange>;

/** What the agent has in mind: its items, and of no other agent. Every call does what `store.items` says of it. */
export interface ManagerItems {
  save(input: Omit<ItemInput, 'agentId'>): Promise<ItemSaved>;
  get(itemId: string, options?: { readonly peek?: boolean }): Promise<ContextItem | undefined>;
  /** A tier within a token budget, for the prompt. */
  load(request?: LoadRequest): Promise<ItemLoad>;
  list(request?: ItemListRequest): Promise<Page<ContextItem>>;
  search(request: ItemSearch): Promise<ItemSearchAnswer>;
  stats(): Promise<ItemStats>;
  readonly touch: ChangeOne;
  readonly pin: ChangeOne;
  readonly unpin: ChangeOne;
  readonly finish: ChangeOne;
  readonly reopen: ChangeOne;
  readonly archive: ChangeOne;
  readonly unarchive: ChangeOne;
  delete(itemId: string): Promise<boolean>;
}

/** The items of one agent. Cost: none until used. */
export function managerItems({ items }: ContextStore, agentId: string): ManagerItems {
  return {
    save: (input) => items.save({ ...input, agentId }),
    get: (itemId, options) => items.get(agentId, itemId, options),
    load: (request) => items.load(agentId, request),
    list: (request) => items.list(agentId, request),
    search: (request) => items.search(agentId, request),
    stats: () => items.stats(agentId),
    touch: (itemId) => items.touch(agentId, itemId),
    pin: (itemId) => items.pin(agentId, itemId),
    unpin: (itemId) => items.unpin(agentId, itemId),
    finish: (itemId) => items.finish(agentId, itemId),
    reopen: (itemId) => items.reopen(agentId, itemId),
    archive: (itemId) => items.archive(agentId, itemId),
    unarchive: (itemId) => items.unarchive(agentId, itemId),
    delete: (itemId) => items.delete(agentId, itemId),
  };
}
