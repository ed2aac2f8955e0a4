import type { QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from './live-connection.ts';

/** Which answers an event makes old, as beginnings of query keys. Pure. */
export function oldAfter({ type, agentId, sessionId }: LiveEvent): (readonly unknown[])[] {
  const keys: (readonly unknown[])[] = [['stats']];
  if (sessionId !== undefined) keys.push(['session', sessionId], ['sessions']);
  if (type.startsWith('output-')) keys.push(['outputs']);
  if (agentId !== undefined) {
    keys.push(['agents'], ['agent', agentId, 'stats'], ['agent', agentId, 'items']);
    keys.push(['agent', agentId, 'search'], ['agent', agentId, 'checkpoints']);
    keys.push(['agent', agentId, 'diff']);
  }
  return keys;
}

/** How long events are gathered after some were shown, ms: many a second must not read everything as often. */
const gatherMs = 300;

/**
 * Reads anew what events made old: the first at once, what follows closely together.
 * Contract: whatever was told is read after it was told.
 */
export function followEvents(
  queries: Pick<QueryClient, 'invalidateQueries'>,
  later: (run: () => void, ms: number) => unknown,
): (event: LiveEvent) => void {
  const old = new Map<string, readonly unknown[]>();
  let isResting = false;
  const read = (): void => {
    const keys = [...old.values()];
    old.clear();
    isResting = keys.length > 0;
    for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
    if (isResting) later(read, gatherMs);
  };
  return (event) => {
    for (const key of oldAfter(event)) old.set(JSON.stringify(key), key);
    if (!isResting) read();
  };
}
