import { CtxError } from '@ctx/core';
import type { ContextStore, Session } from '@ctx/store';

/** Most sessions that are looked through for a likely name. */
const searched = 1000;

/**
 * The session of this id, or the one whose id begins so, if there is only one.
 * @throws `CTX_NOT_FOUND`, naming likely ones; `CTX_INVALID_INPUT` where several begin so.
 */
export async function findSession(store: ContextStore, id: string): Promise<Session> {
  const exact = await store.sessions.get(id);
  if (exact !== undefined) return exact;
  const { entries } = await store.sessions.list({ limit: searched });
  const ids = entries.map((entry) => entry.id);
  const matching = id === '' ? [] : ids.filter((candidate) => candidate.startsWith(id));
  const [only, ...others] = matching;
  if (only !== undefined && others.length === 0) {
    const session = await store.sessions.get(only);
    if (session !== undefined) return session;
  }
  if (others.length > 0) {
    const names = matching.slice(0, 3).join(', ');
    throw new CtxError('CTX_AMBIGUOUS', `several sessions begin with ${id}: ${names}`);
  }
  const similar = id === '' ? [] : ids.filter((candidate) => candidate.includes(id)).slice(0, 3);
  const hint = similar.length === 0 ? '' : `; did you mean ${similar.join(' or ')}?`;
  throw new CtxError('CTX_NOT_FOUND', `there is no session ${id}${hint}`);
}
