import type { ContextStore, PageRequest } from '@ctx/store';
import { pageOf } from '../routes/route-parts.ts';

type SessionPage = Awaited<ReturnType<ContextStore['sessions']['list']>>;

interface Wanted {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly agent?: string | undefined;
  readonly q?: string | undefined;
}

/** Most sessions that one answer looks at. */
const maxLookedAt = 5000;
/** Sessions that a search reads at once. */
const searchPage = 50;

type Entry = SessionPage['entries'][number];

const holds = ({ id, title = '', agentId = '' }: Entry, words: string): boolean =>
  `${id} ${title} ${agentId}`.toLowerCase().includes(words);

/** Reads pages until what was found fills an answer, or enough was looked at. */
async function searchSessions(
  list: (page: PageRequest) => Promise<SessionPage>,
  first: PageRequest,
  { words, most }: { readonly words: string; readonly most: number },
): Promise<SessionPage> {
  const { limit = searchPage } = first;
  const entries: Entry[] = [];
  let read = await list(first);
  for (let looked = limit; ; looked += limit) {
    entries.push(...read.entries.filter((entry) => holds(entry, words)));
    const isFull = entries.length + limit > most || looked >= maxLookedAt;
    if (read.next === undefined || isFull) return { ...read, entries };
    read = await list({ limit, after: read.next });
  }
}

/** A page of sessions, newest first; with `q` those whose id, title or agent holds it. An answer may be short and have a next page. */
export async function findSessions(
  { sessions }: ContextStore,
  { agent, q = '', ...page }: Wanted,
): Promise<SessionPage> {
  const agentId = agent === undefined ? {} : { agentId: agent };
  const list = (asked: PageRequest): Promise<SessionPage> =>
    sessions.list({ ...asked, ...agentId });
  if (q === '') return list(pageOf(page));
  const first = pageOf({ ...page, limit: Math.min(page.limit, searchPage) });
  return searchSessions(list, first, { words: q.toLowerCase(), most: page.limit });
}
