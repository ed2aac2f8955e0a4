import { setImmediate as loopTurn } from 'node:timers/promises';
import type { ContextStore } from '@ctx/store';
import { LRUCache } from 'lru-cache';
import type { RankedSession } from './rank-costs.ts';

/** All sessions of a tenant with what they cost, as far as they have been read. */
export interface Ranking {
  readonly sessions: Iterable<RankedSession>;
  /** Sessions that are not read yet: ask again. */
  readonly unread: number;
}

/** Reads what a session cost; without where it can't be read. */
export type CostReader = (session: string) => Promise<Pick<RankedSession, 'cost'>>;

/** Keeps what the sessions of each tenant cost. */
export interface Rankings {
  /** Brings the ranking of a store up to date; works for a moment, and says how many sessions wait. */
  update(store: ContextStore, read: CostReader): Promise<Ranking>;
}

/** Longest work for one answer, ms: then others get their turn, and the next answer goes on. */
const maxMs = 400;
/** Sessions that are listed at once. */
const listPage = 200;
/** So long after its last change a session is read again, ms: events of a window change it once a minute. */
const restlessMs = 120_000;
/** Most sessions of all tenants that are kept: about a kilobyte each. */
const maxSessions = 50_000;

interface Kept {
  readonly found: Map<string, RankedSession>;
  unread: number;
  updating: Promise<unknown>;
}

function isCurrent(known: RankedSession['session'], now: RankedSession['session']): boolean {
  return known.version === now.version && known.updatedAt === now.updatedAt;
}

/** Yields all sessions, the newest first. */
async function* allSessions({ sessions }: ContextStore) {
  let after: string | undefined;
  do {
    const page = await sessions.list({
      limit: listPage,
      ...(after === undefined ? {} : { after }),
    });
    yield* page.entries;
    after = page.next;
    await loopTurn();
  } while (after !== undefined);
}

type Session = RankedSession['session'];

/** What is to be read: first sessions that are not known as they are now, then those that may have changed unseen. */
interface ToRead {
  readonly unread: Session[];
  readonly restless: Session[];
}

/** Finds what is to be read, and forgets sessions that are gone. */
async function findUnread({ found }: Kept, store: ContextStore): Promise<ToRead> {
  const gone = new Set(found.keys());
  const unread: Session[] = [];
  const restless: Session[] = [];
  for await (const session of allSessions(store)) {
    gone.delete(session.id);
    const known = found.get(session.id);
    if (known === undefined || !isCurrent(known.session, session)) unread.push(session);
    else if (store.clock() - session.updatedAt <= restlessMs) restless.push(session);
  }
  for (const id of gone) found.delete(id);
  return { unread, restless };
}

async function updateKept(kept: Kept, store: ContextStore, read: CostReader): Promise<void> {
  const end = performance.now() + maxMs;
  const { unread, restless } = await findUnread(kept, store);
  kept.unread = unread.length;
  for (const session of [...unread, ...restless]) {
    if (performance.now() > end) return;
    kept.found.set(session.id, { session, ...(await read(session.id)) });
    kept.unread = Math.max(0, kept.unread - 1);
    await loopTurn();
  }
}

/** Makes the keeper. */
export function createRankings(): Rankings {
  const tenants = new LRUCache<string, Kept>({
    maxSize: maxSessions,
    maxEntrySize: Number.MAX_SAFE_INTEGER,
    sizeCalculation: ({ found }) => found.size + 1,
  });
  return {
    update: async (store, read) => {
      const kept = tenants.get(store.tenant) ?? {
        ...{ found: new Map<string, RankedSession>(), unread: 0, updating: Promise.resolve() },
      };
      const update = (): Promise<void> => updateKept(kept, store, read);
      const updated = kept.updating.then(update, update);
      kept.updating = updated;
      tenants.set(store.tenant, kept);
      await updated;
      // Its size is another now.
      tenants.set(store.tenant, kept);
      return { sessions: kept.found.values(), unread: kept.unread };
    },
  };
}
