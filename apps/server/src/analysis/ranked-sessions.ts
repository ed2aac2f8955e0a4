import { setImmediate as loopTurn, setTimeout as wait } from 'node:timers/promises';
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
  /**
   * Brings the ranking of a store up to date. Answers after a moment at most, says how many sessions wait, and reads on as long as it is
   * asked again.
   */
  update(store: ContextStore, read: CostReader): Promise<Ranking>;
}

/** So long an answer waits for sessions that are being read, ms. */
const maxMs = 400;
/** So long after it was last asked for a ranking is read on, ms: the page asks at once for as long as sessions wait. */
const unaskedMs = 2_000;
/** Sessions that are listed at once. */
const listPage = 200;
/** So long after its last change a session is read again, ms: events of a window change it once a minute. */
const restlessMs = 120_000;
/** Most sessions of all tenants that are kept: about a kilobyte each. */
const maxSessions = 50_000;

interface Kept {
  readonly found: Map<string, RankedSession>;
  unread: number;
  askedAt: number;
  /** Until it is known which sessions wait, there is nothing to answer. */
  listing?: Promise<ToRead>;
  /** Goes through all sessions; and once more for those who asked after it had begun. */
  reading?: Promise<void> | undefined;
  readingAgain?: Promise<void> | undefined;
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

async function readOn(kept: Kept, store: ContextStore, read: CostReader): Promise<void> {
  kept.listing = findUnread(kept, store);
  const { unread, restless } = await kept.listing;
  kept.unread = unread.length;
  for (const session of [...unread, ...restless]) {
    if (performance.now() - kept.askedAt > unaskedMs) return;
    kept.found.set(session.id, { session, ...(await read(session.id)) });
    kept.unread = Math.max(0, kept.unread - 1);
    await loopTurn();
  }
}

/** Starts to read, or to read again after what is under way: that may have passed what changed since. */
function startReading(kept: Kept, store: ContextStore, read: CostReader): Promise<void> {
  const start = async (): Promise<void> => {
    kept.readingAgain = undefined;
    const reading = readOn(kept, store, read);
    kept.reading = reading;
    try {
      await reading;
    } finally {
      if (kept.reading === reading) kept.reading = undefined;
    }
  };
  if (kept.reading === undefined) return start();
  kept.readingAgain ??= kept.reading.then(start, start);
  return kept.readingAgain;
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
      const kept: Kept = tenants.get(store.tenant) ?? { found: new Map(), unread: 0, askedAt: 0 };
      kept.askedAt = performance.now();
      tenants.set(store.tenant, kept);
      const reading = startReading(kept, store, read);
      const aMoment = async (): Promise<void> => {
        await kept.listing;
        await wait(maxMs, undefined, { ref: false });
      };
      await Promise.race([reading, aMoment()]);
      // Its size is another now.
      tenants.set(store.tenant, kept);
      return { sessions: kept.found.values(), unread: kept.unread };
    },
  };
}
