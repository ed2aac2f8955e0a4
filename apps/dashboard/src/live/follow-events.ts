import type { QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from './live-connection.ts';
import { type Later, paced } from './paced.ts';

/** Whether an event is about one item, which can be read alone. */
function isOneItem(event: LiveEvent): event is LiveEvent & Record<'agentId' | 'id', string> {
  const { type, agentId, id } = event;
  const isItem = type.startsWith('item-') || type === 'tier-changed';
  return isItem && agentId !== undefined && id !== undefined;
}

/** Which answers an event makes old, as beginnings of query keys. Pure. */
export function oldAfter(event: LiveEvent): (readonly unknown[])[] {
  const { type, agentId, sessionId, id } = event;
  const keys: (readonly unknown[])[] = [['stats']];
  if (sessionId !== undefined) keys.push(['session', sessionId], ['sessions']);
  if (type.startsWith('output-')) keys.push(['outputs']);
  if (agentId === undefined) return keys;
  if (type === 'facts-updated') return [...keys, ['agent', agentId, 'facts']];
  keys.push(['agents'], ['agent', agentId, 'stats'], ['agent', agentId, 'search']);
  keys.push(['agent', agentId, 'checkpoints'], ['agent', agentId, 'diff']);
  // A list of thousands is not read anew for one item: that one is put into it.
  keys.push(isOneItem(event) ? ['agent', agentId, 'item', id] : ['agent', agentId, 'items']);
  return keys;
}

/** How long reading rests, ms: many events a second must not read everything as often. Rows of items are small and rest less. */
const itemsRestMs = 40;
const othersRestMs = 120;
/** For costs, a session is read whole. */
const costsRestMs = 10_000;

/** What events are followed with. */
export interface FollowOptions {
  readonly queries: Pick<QueryClient, 'invalidateQueries'>;
  /** Puts items as they are now into the lists that show them. */
  readonly refreshItems: (agentId: string, ids: readonly string[]) => Promise<unknown>;
  readonly later: Later;
}

/** Takes all that a map holds. */
function takeAll<T>(map: Map<string, T>): [string, T][] {
  const all = [...map];
  map.clear();
  return all;
}

/**
 * Reads anew what events made old: the first at once, what follows closely together.
 * Whatever was told is read after it was told, and no reading is cut off by the next, however many events come.
 */
export function followEvents(options: FollowOptions): (event: LiveEvent) => void {
  const { queries, refreshItems, later } = options;
  const old = new Map<string, readonly unknown[]>();
  const items = new Map<string, Set<string>>();
  const readAnew = (queryKey: readonly unknown[]): Promise<void> =>
    queries.invalidateQueries({ queryKey });
  const readItems = async (): Promise<unknown> => {
    const refreshed = takeAll(items).map(([agentId, ids]) => refreshItems(agentId, [...ids]));
    return Promise.allSettled(refreshed);
  };
  const readOthers = async (): Promise<unknown> => {
    return Promise.allSettled(takeAll(old).map(([, queryKey]) => readAnew(queryKey)));
  };
  const askForItems = paced(readItems, later, itemsRestMs);
  const askForOthers = paced(readOthers, later, othersRestMs);
  const askForCosts = paced(() => readAnew(['costs']), later, costsRestMs);
  return (event) => {
    if (event.sessionId !== undefined) askForCosts();
    // Their rows are what is looked at: they are asked for before the sums.
    if (isOneItem(event)) {
      const { agentId, id } = event;
      items.set(agentId, (items.get(agentId) ?? new Set()).add(id));
      askForItems();
    }
    for (const key of oldAfter(event)) old.set(JSON.stringify(key), key);
    askForOthers();
  };
}
