import type { ContextStore, ItemInput } from '@ctx/store';

type Items = ContextStore['items'];

/** A call of `store.items` without its first argument, the agent. */
type OfAgent<Name extends keyof Items> = Items[Name] extends (
  agentId: string,
  ...rest: infer Rest
) => infer Result
  ? (...rest: Rest) => Result
  : never;

/** What the agent has in mind: its items, and of no other agent. Every call does what `store.items` says of it. */
export interface ManagerItems {
  save(input: Omit<ItemInput, 'agentId'>): ReturnType<Items['save']>;
  readonly get: OfAgent<'get'>;
  /** A tier within a token budget, for the prompt. */
  readonly load: OfAgent<'load'>;
  readonly list: OfAgent<'list'>;
  readonly search: OfAgent<'search'>;
  readonly stats: OfAgent<'stats'>;
  readonly touch: OfAgent<'touch'>;
  readonly pin: OfAgent<'pin'>;
  readonly unpin: OfAgent<'unpin'>;
  readonly finish: OfAgent<'finish'>;
  readonly reopen: OfAgent<'reopen'>;
  readonly archive: OfAgent<'archive'>;
  readonly unarchive: OfAgent<'unarchive'>;
  readonly delete: OfAgent<'delete'>;
}

/** The items of one agent. Does nothing until used. */
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
