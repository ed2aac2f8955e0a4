import { checkpointHeadsCollection } from '../collections/checkpoint-collections.ts';
import { itemsCollection } from '../collections/collections.ts';
import { accessCollection, type CollectionAccess } from '../records/collection-access.ts';
import { type KnownReads, knownReads } from '../records/read-cache.ts';
import { type RecentMap, recentMap } from '../records/recent-map.ts';
import type { StoreHost } from '../store-host.ts';
import { type AgentClock, agentClockOf, agentTime, type ChangeContext } from './agent-clock.ts';

/** What the calls of the item service work on. */
export interface ItemStore {
  readonly host: StoreHost;
  readonly collection: CollectionAccess;
  /** Where the time of each agent is noted. */
  readonly heads: CollectionAccess;
  /** The clocks of agents that were not written to since they were read. */
  readonly knownClocks: KnownReads<AgentClock>;
  /** The clocks of agents as they were last read. */
  readonly lastClocks: RecentMap<AgentClock>;
}

/** Agents whose clocks are remembered for `explain`. */
const mostClocks = 1024;

/** Binds the collections to the tenant. Does nothing until used. */
export function itemStore(host: StoreHost): ItemStore {
  const { backend, tenant } = host;
  return {
    host,
    collection: accessCollection(backend, itemsCollection, tenant),
    heads: accessCollection(backend, checkpointHeadsCollection, tenant),
    knownClocks: knownReads(host.readMark),
    lastClocks: recentMap(mostClocks),
  };
}

async function readClock(
  { heads, knownClocks, lastClocks }: ItemStore,
  agentId: string,
): Promise<AgentClock> {
  const { value, keep } = knownClocks.look(agentId);
  const clock = value ?? agentClockOf(await heads.get([agentId], 'columns'));
  if (value === undefined) keep?.(clock);
  lastClocks.set(agentId, clock);
  return clock;
}

function contextAt({ host }: ItemStore, clock: AgentClock): ChangeContext {
  const { importancePolicy: policy } = host;
  const now = host.clock();
  const timeAt = (at: number): number => agentTime(clock, at, policy);
  return { now, agentNow: timeAt(now), timeAt, clock, policy };
}

const noClock: AgentClock = { idleMs: 0, version: 0 };

/** This moment in the time of an agent, under the store's policy. Reads a record's columns if the store was written since the last one. */
export async function contextNow(store: ItemStore, agentId: string): Promise<ChangeContext> {
  const { pauseMs } = store.host.importancePolicy;
  const isAllTime = pauseMs === Number.POSITIVE_INFINITY;
  return contextAt(store, isAllTime ? noClock : await readClock(store, agentId));
}

/** The same without reading, as far as the agent's time was read before. */
export function lastContext(store: ItemStore, agentId: string): ChangeContext {
  return contextAt(store, store.lastClocks.get(agentId) ?? noClock);
}
