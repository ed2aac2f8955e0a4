import type { ContextStore } from '@ctx/store';
import { LRUCache } from 'lru-cache';

/** Lets a session be listed, under its agent. */
export async function beginSession(
  store: ContextStore,
  id: string,
  agentId?: string,
): Promise<void> {
  await store.sessions.update(id, (session) => {
    const isKnown = session.version > 0 && (agentId === undefined || session.agentId === agentId);
    if (isKnown) return undefined;
    return agentId === undefined ? session : { ...session, agentId };
  });
}

/** Sessions that are remembered as listed, and for how long: another process may delete one. */
const remembered = { max: 10_000, ttl: 60_000 };

/** Returns what lets sessions be listed, each of them once: many outputs of one session cost no look at it. */
export function sessionStarter(): (store: ContextStore, id: string) => Promise<void> {
  const known = new LRUCache<string, true>(remembered);
  return async (store, id) => {
    const key = JSON.stringify([store.tenant, id]);
    if (known.has(key)) return;
    await beginSession(store, id);
    known.set(key, true);
  };
}
