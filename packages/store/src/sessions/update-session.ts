import type { ContextStore } from '../open-store.ts';
import type { Session } from './session-document.ts';

/**
 * Reads (or begins) a session, applies `change` and writes it; does so again when another writer came between: the same as
 * `store.sessions.update`. `change` may run several times, so it must depend on its argument alone.
 * @throws the codes of the store.
 */
export function updateSession(
  { sessions }: Pick<ContextStore, 'sessions'>,
  sessionId: string,
  change: (session: Session) => Session | undefined,
): Promise<Session> {
  return sessions.update(sessionId, change);
}
