import type { LiveEvent } from '../event-log/live-event.ts';
import type { TenantStores } from '../tenants/open-tenants.ts';

/** Hands the live logs of all tenants to many readers at the price of one reader each. */
export interface LiveHub {
  /** Events of a tenant after a sequence number, at most 256, in order. Empty where there is none. */
  after(tenant: string, sequence: number): Promise<readonly LiveEvent[]>;
  /** Resolves when the tenant's log may have something after `sequence`, or `signal` is aborted. */
  wait(tenant: string, sequence: number, signal: AbortSignal): Promise<void>;
  /** Oldest and newest sequence number that is kept. */
  bounds(tenant: string): Promise<{ readonly oldest: number; readonly newest: number }>;
  /** Tenants whose log a client waits for. */
  watched(): readonly string[];
  /** Stops looking; who waits goes on waiting for its signal. */
  close(): void;
}

/** Newest events that are held in memory. */
const held = 1024;
const pageSize = 256;

interface Tail {
  readonly tenant: string;
  /** The newest events, without a gap. */
  events: LiveEvent[];
  newest: number;
  readonly waiting: Set<() => void>;
  isReading: boolean;
  /** How often a writer said that there is more. */
  changes: number;
}

interface Tails {
  readonly stores: Pick<TenantStores, 'liveLog'>;
  readonly shared: Pick<LiveHub, 'bounds' | 'after'>;
  readonly all: Map<string, Tail>;
}

/** Lets those who ask the same at one moment share a read: many readers come at once where a server that they were at is gone. */
function shareReads({ liveLog }: Pick<TenantStores, 'liveLog'>): Pick<LiveHub, 'bounds' | 'after'> {
  const bounds = new Map<string, ReturnType<LiveHub['bounds']>>();
  const pages = new Map<string, ReturnType<LiveHub['after']>>();
  return {
    bounds: (tenant) => {
      const known = bounds.get(tenant);
      if (known !== undefined) return known;
      const reading = liveLog(tenant)
        .bounds()
        .finally(() => bounds.delete(tenant));
      bounds.set(tenant, reading);
      return reading;
    },
    after: (tenant, sequence) => {
      const name = `${String(sequence)} ${tenant}`;
      const known = pages.get(name);
      if (known !== undefined) return known;
      const reading = liveLog(tenant)
        .after(sequence, pageSize)
        .finally(() => pages.delete(name));
      pages.set(name, reading);
      return reading;
    },
  };
}

/** Takes one page in; whether there may be more. No event is taken twice, and no page is left out. */
async function readPage({ stores }: Tails, tail: Tail): Promise<boolean> {
  const page = await stores.liveLog(tail.tenant).after(tail.newest, pageSize);
  const last = page.at(-1);
  if (last === undefined) return false;
  // If no client waited for long, the log may have lost what comes between.
  const isNext = page[0]?.sequence === tail.newest + 1;
  tail.events = isNext ? [...tail.events, ...page].slice(-held) : [...page];
  tail.newest = last.sequence;
  return page.length === pageSize;
}

function wakeAll({ waiting }: Tail): void {
  const wake = [...waiting];
  waiting.clear();
  for (const go of wake) go();
}

/** Reads until no writer has said meanwhile that there is more. */
async function readOn(tails: Tails, tail: Tail): Promise<void> {
  const before = tail.newest;
  tail.isReading = true;
  try {
    let isMore = true;
    while (isMore) {
      const seen = tail.changes;
      isMore = await readPage(tails, tail);
      isMore ||= seen !== tail.changes;
    }
  } finally {
    // At once: whoever says from now on that there is more begins anew.
    tail.isReading = false;
    // Nothing new is nothing to wake for: who looks again would only ask again.
    if (tail.newest > before) wakeAll(tail);
  }
}

function refresh(tails: Tails, tail: Tail): void {
  tail.changes += 1;
  if (tail.isReading || tail.waiting.size === 0) return;
  // What cannot be read now is tried again at the next look.
  readOn(tails, tail).catch(() => undefined);
}

async function tailOf({ shared, all }: Tails, tenant: string): Promise<Tail> {
  const known = all.get(tenant);
  if (known !== undefined) return known;
  const { newest } = await shared.bounds(tenant);
  const waiting = new Set<() => void>();
  const made = { tenant, events: [], newest, waiting, isReading: false, changes: 0 };
  const tail = all.get(tenant) ?? made;
  all.set(tenant, tail);
  return tail;
}

async function waitFor(
  tails: Tails,
  tail: Tail,
  { sequence, signal }: { readonly sequence: number; readonly signal: AbortSignal },
): Promise<void> {
  if (tail.newest > sequence || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const go = (): void => {
      signal.removeEventListener('abort', stop);
      resolve();
    };
    const stop = (): void => {
      tail.waiting.delete(go);
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
    tail.waiting.add(go);
    refresh(tails, tail);
  });
}

/** Where the store tells what others wrote, a look of one's own only finds what was lost on the way: once in so many polls. */
const toldPolls = 10;

/** Follows what other processes write, while a client waits. Returns a function that stops it. */
function followOthers(
  stores: Pick<TenantStores, 'liveLog' | 'watchOthers'>,
  tails: Tails,
  pollMs: number,
): () => void {
  const stopWatching = stores.watchOthers({
    isOn: () => [...tails.all.values()].some(({ waiting }) => waiting.size > 0),
    onWrite: (tenant) => {
      for (const tail of tails.all.values()) {
        if (tenant === undefined || tail.tenant === tenant) refresh(tails, tail);
      }
    },
  });
  const lookEveryMs = stopWatching === undefined ? pollMs : pollMs * toldPolls;
  const timer = setInterval(() => {
    for (const tail of tails.all.values()) refresh(tails, tail);
  }, lookEveryMs);
  timer.unref();
  return () => {
    stopWatching?.();
    clearInterval(timer);
  };
}

/**
 * Creates the hub. Clients see writes of this process at once, and writes of other processes when the store reports them, or after `pollMs`
 * if it cannot. A lost notification is made up for after ten times `pollMs`.
 * Reads the store once for each tenant and change, for any number of clients.
 */
export function createLiveHub(
  stores: Pick<TenantStores, 'liveLog' | 'onLive' | 'watchOthers'>,
  pollMs: number,
): LiveHub {
  const shared = shareReads(stores);
  const tails: Tails = { stores, shared, all: new Map() };
  const stop = stores.onLive((tenant) => {
    const tail = tails.all.get(tenant);
    if (tail !== undefined) refresh(tails, tail);
  });
  const stopFollowing = followOthers(stores, tails, pollMs);
  return {
    after: async (tenant, sequence) => {
      const { events } = await tailOf(tails, tenant);
      const first = events[0]?.sequence ?? Infinity;
      if (first > sequence + 1) return shared.after(tenant, sequence);
      return events.slice(sequence + 1 - first, sequence + 1 - first + pageSize);
    },
    wait: async (tenant, sequence, signal) => {
      await waitFor(tails, await tailOf(tails, tenant), { sequence, signal });
    },
    watched: () =>
      [...tails.all.values()].filter(({ waiting }) => waiting.size > 0).map(({ tenant }) => tenant),
    bounds: (tenant) => shared.bounds(tenant),
    close: () => {
      stop();
      stopFollowing();
    },
  };
}
