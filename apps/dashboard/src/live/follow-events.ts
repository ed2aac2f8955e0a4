import type { QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from './live-connection.ts';

/** Whether an event is about one item, which can be read alone. */
function isOneItem({ type, agentId, id }: LiveEvent): boolean {
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
  keys.push(['agents'], ['agent', agentId, 'stats'], ['agent', agentId, 'search']);
  keys.push(['agent', agentId, 'checkpoints'], ['agent', agentId, 'diff']);
  // A list of thousands is not read anew for one item: that one is put into it.
  keys.push(isOneItem(event) ? ['agent', agentId, 'item', id] : ['agent', agentId, 'items']);
  return keys;
}

/** How long events are gathered after some were shown, ms: many a second must not read everything as often. */
const gatherMs = 300;

/** What events are followed with. */
export interface FollowOptions {
  readonly queries: Pick<QueryClient, 'invalidateQueries'>;
  /** Puts items as they are now into the lists that show them. */
  readonly refreshItems: (agentId: string, ids: readonly string[]) => void;
  readonly later: (run: () => void, ms: number) => unknown;
}

/**
 * Reads anew what events made old: the first at once, what follows closely together.
 * Contract: whatever was told is read after it was told.
 */
export function followEvents({
  queries,
  refreshItems,
  later,
}: FollowOptions): (event: LiveEvent) => void {
  const old = new Map<string, readonly unknown[]>();
  const items = new Map<string, Set<string>>();
  let isResting = false;
  const read = (): void => {
    const keys = [...old.values()];
    const changed = [...items];
    old.clear();
    items.clear();
    isResting = keys.length > 0;
    for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
    for (const [agentId, ids] of changed) refreshItems(agentId, [...ids]);
    if (isResting) later(read, gatherMs);
  };
  return (event) => {
    for (const key of oldAfter(event)) old.set(JSON.stringify(key), key);
    const { agentId, id } = event;
    if (agentId !== undefined && id !== undefined && isOneItem(event)) {
      items.set(agentId, (items.get(agentId) ?? new Set()).add(id));
    }
    if (!isResting) read();
  };
}
