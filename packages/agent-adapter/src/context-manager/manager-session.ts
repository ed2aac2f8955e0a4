import type { ContextStore, SessionDocument, SessionMemory } from '@ctx/store';

/** What is kept in mind of the session: facts, tasks, plans, preferences, and what its tools and its requests took. */
export interface ManagerSession extends SessionMemory {
  /** The session's document, with everything that was observed up to now; an empty one where nothing was. */
  document(): Promise<SessionDocument>;
}

/** The document of one session. Cost: none until used; what changes documents is loaded then. */
export function managerSession(store: ContextStore, sessionId: string): ManagerSession {
  let loading: Promise<ManagerSession> | undefined;
  const load = async (): Promise<ManagerSession> => {
    const { sessionDocuments } = await import('./session-documents.ts');
    return sessionDocuments(store, sessionId);
  };
  const loaded = (): Promise<ManagerSession> => (loading ??= load());
  return {
    append: async (entries) => (await loaded()).append(entries),
    addFact: async (fact) => (await loaded()).addFact(fact),
    supersedeFact: async (fact) => (await loaded()).supersedeFact(fact),
    promoteFact: async (text, options) => (await loaded()).promoteFact(text, options),
    updateTask: async (change) => (await loaded()).updateTask(change),
    noteEnvironment: async (note) => (await loaded()).noteEnvironment(note),
    setPreference: async (name, value) => (await loaded()).setPreference(name, value),
    setPlan: async (plan) => (await loaded()).setPlan(plan),
    document: async () => (await loaded()).document(),
  };
}
