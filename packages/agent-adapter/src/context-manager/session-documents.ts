import {
  type ContextStore,
  emptySessionDocument,
  type SessionDocument,
  type SessionMemory,
  sessionMemory,
} from '@ctx/store';

/** The document of one session. Cost: none until used. */
export function sessionDocuments(
  store: ContextStore,
  sessionId: string,
): SessionMemory & { readonly document: () => Promise<SessionDocument> } {
  return {
    ...sessionMemory(store, sessionId),
    document: async () => {
      await store.sessions.flush(sessionId);
      const session = await store.sessions.get(sessionId);
      return session?.document ?? emptySessionDocument(sessionId);
    },
  };
}
