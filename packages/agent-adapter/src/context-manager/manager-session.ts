import {
  type ContextStore,
  emptySessionDocument,
  type SessionDocument,
  type SessionMemory,
  sessionMemory,
} from '@ctx/core';

/** What is kept in mind of the session: facts, tasks, plans, preferences, and what its tools and its requests took. */
export interface ManagerSession extends SessionMemory {
  /** The session's document, with everything that was observed up to now; an empty one where nothing was. */
  document(): Promise<SessionDocument>;
}

/** The document of one session. Cost: none until used. */
export function managerSession(store: ContextStore, sessionId: string): ManagerSession {
  return {
    ...sessionMemory(store, sessionId),
    document: async () => {
      await store.sessions.flush(sessionId);
      const session = await store.sessions.get(sessionId);
      return session?.document ?? emptySessionDocument(sessionId);
    },
  };
}
