import type { ContextStore, SessionDocument } from '@ctx/store';

type SessionMemory = ReturnType<ContextStore['sessions']['memory']>;

/** What is kept in mind of the session: facts, tasks, plans, preferences, and what its tools and its requests took. */
export interface ManagerSession extends SessionMemory {
  /** The session's document, with everything that was observed up to now; an empty one where nothing was. */
  document(): Promise<SessionDocument>;
  /**
   * Returns the notes for a model that resumes the session, after a compaction or in another process: the user's requests and rules, open
   * tasks, and the address of every output, newest first. At most 2,000 tokens by default; empty if there are none.
   */
  notes(options?: { readonly maxTokens?: number }): Promise<string>;
}

/** The document of one session. Does nothing until used. */
export function managerSession(store: ContextStore, sessionId: string): ManagerSession {
  const { sessions } = store;
  return {
    notes: async (options = {}) => {
      const { managerNotes } = await import('./manager-notes.ts');
      return (await managerNotes(store, sessionId, options)).text;
    },
    ...sessions.memory(sessionId),
    document: async () => {
      await sessions.flush(sessionId);
      const session = await sessions.get(sessionId);
      if (session !== undefined) return session.document;
      const { emptyDocument } = await import('./empty-document.ts');
      return emptyDocument(sessionId);
    },
  };
}
