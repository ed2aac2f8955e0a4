import type { ContextStore } from '@ctx/store';

/** Returns a text that changes with the log of a session, its outputs, and when a session of its name is made again. Reads counts. */
export async function stateOfSession(store: ContextStore, session: string): Promise<string> {
  const [events, outputs, found] = await Promise.all([
    store.events.tally(session),
    store.outputs.tally({ sessionId: session }),
    store.sessions.get(session),
  ]);
  return JSON.stringify([events, outputs, found?.createdAt]);
}
