import { CtxError } from '@ctx/core';
import type { ContextStore, Session } from '@ctx/store';

/** Most sessions that are looked through for a likely name. */
const searched = 1000;

/**
 * The only one of `ids` that begins so; `undefined` where none does.
 * @throws `CTX_AMBIGUOUS` where several begin so.
 */
export function onlyMatch(what: string, id: string, ids: readonly string[]): string | undefined {
  const [only, ...others] = id === '' ? [] : ids.filter((candidate) => candidate.startsWith(id));
  if (only === undefined || others.length === 0) return only;
  const names = [only, ...others].slice(0, 3).join(', ');
  throw new CtxError('CTX_AMBIGUOUS', `several ${what} begin with ${id}: ${names}`);
}

/** Names those of `ids` that hold what was asked for; empty where none does. */
export function didYouMean(id: string, ids: readonly string[]): string {
  const similar = id === '' ? [] : ids.filter((candidate) => candidate.includes(id)).slice(0, 3);
  return similar.length === 0 ? '' : `; did you mean ${similar.join(' or ')}?`;
}

/**
 * The session of this id, or the one whose id begins so, if there is only one.
 * @throws `CTX_NOT_FOUND`, naming likely ones; `CTX_AMBIGUOUS` where several begin so.
 */
export async function findSession(store: ContextStore, id: string): Promise<Session> {
  const exact = await store.sessions.get(id);
  if (exact !== undefined) return exact;
  const { entries } = await store.sessions.list({ limit: searched });
  const ids = entries.map((entry) => entry.id);
  const only = onlyMatch('sessions', id, ids);
  const session = only === undefined ? undefined : await store.sessions.get(only);
  if (session !== undefined) return session;
  throw new CtxError('CTX_NOT_FOUND', `there is no session ${id}${didYouMean(id, ids)}`);
}
