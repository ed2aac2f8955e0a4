import type { ContextStore } from '@ctx/store';
import { notFound } from '../../problems/problem.ts';

/** @throws 404 where nothing was ever written of the session, neither a document nor an event. */
export async function checkKnownSession(store: ContextStore, sessionId: string): Promise<void> {
  const { events } = await store.events.tally(sessionId);
  if (events === 0 && (await store.sessions.get(sessionId)) === undefined) throw notFound();
}
