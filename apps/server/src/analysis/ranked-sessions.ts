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
  /** Brings the ranking of a store up to date; works for a second at most, and says how many sessions wait. */
  update(store: ContextStore, read: CostReader): Promise<Ranking>;
}

/** Longest work for one answer, ms: then others get their turn, and the next answer goes on. */
const maxMs = 1_000;
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

async function updateKept(kept: Kept, store: ContextStore, read: CostReader): Promise<void> {
  const end = performance.now() + maxMs;
  const { found } = kept;
  const gone = new Set(found.keys());
  let unread = 0;
  for await (const session of allSessions(store)) {
    gone.delete(session.id);
    const known = found.get(session.id);
    const isAtRest = store.clock() - session.updatedAt > restlessMs;
    if (known !== undefined && isAtRest && isCurrent(known.session, session)) continue;
    if (performance.now() > end) {
      if (known === undefined || !isCurrent(known.session, session)) unread += 1;
      continue;
    }
    found.set(session.id, { session, ...(await read(session.id)) });
    await loopTurn();
  }
  for (const id of gone) found.delete(id);
  kept.unread = unread;
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
