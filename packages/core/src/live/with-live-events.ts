import { isCtxError } from '../errors.ts';
import type { Clock } from '../host/clock.ts';
import { liveEventsCollection } from '../store/collections.ts';
import { collectScan } from '../store/map-scan.ts';
import { maxConflictTries } from '../store/retry-on-conflict.ts';
import type { StoreBackend, WriteOperation } from '../store/store-backend.ts';
import { takeTurns } from '../store/take-turns.ts';
import type { LiveEvent, LiveEventDraft } from './live-event.ts';
import { liveEventsOf } from './live-events-of.ts';
import { liveKey, livePut } from './live-record.ts';
import { type SeenWrite, writeGroups } from './write-groups.ts';

/** How the log of a store is kept. */
export interface LiveEventOptions {
  readonly clock: Clock;
  /** Events that a tenant's log keeps, at least; older ones go in batches. Default 10,000. */
  readonly keep?: number;
  /** Called after a write with the tenant, as keys hold it, and the events of the write. */
  readonly onAppended?: (tenantPart: string, events: readonly LiveEvent[]) => void;
  /** Resolves when the writes of this moment have been asked for: those of a tenant are written together. Default: at once. */
  readonly gather?: () => Promise<void>;
}

const usualKeep = 10_000;
/** The log is looked through for what is too old once in so many events. */
const trimEvery = 256;
/** Most that go with one write. */
const trimBatch = 1024;

interface Log {
  readonly backend: StoreBackend;
  readonly clock: Clock;
  readonly keep: number;
  readonly onAppended: (tenantPart: string, events: readonly LiveEvent[]) => void;
  /** Newest sequence number by tenant, as far as this process knows. */
  readonly newest: Map<string, number>;
}

type Drafts = ReadonlyMap<string, readonly LiveEventDraft[]>;

/** The newest sequence number that the store has; 0 where the log is empty. */
async function readNewest({ backend }: Log, tenantPart: string): Promise<number> {
  const query = {
    collection: liveEventsCollection.name,
    index: 'key',
    equal: [tenantPart],
    descending: true,
    limit: 1,
    part: 'columns',
  } as const;
  const [last] = await collectScan(backend.scan(query));
  return Number(last?.key[1] ?? 0);
}

/** Deletions of what is too old, now and then. */
async function trimmed(
  { backend, keep }: Log,
  tenantPart: string,
  [before, after]: readonly [number, number],
): Promise<WriteOperation[]> {
  if (Math.floor(before / trimEvery) === Math.floor(after / trimEvery) || after <= keep) return [];
  const query = {
    collection: liveEventsCollection.name,
    index: 'key',
    equal: [tenantPart],
    range: { to: liveKey(tenantPart, after - keep)[1] ?? '' },
    limit: trimBatch,
    part: 'columns',
  } as const;
  const operations: WriteOperation[] = [];
  for await (const { key } of backend.scan(query)) {
    operations.push({ type: 'delete', collection: liveEventsCollection.name, key });
  }
  return operations;
}

/** The events of one tenant behind the newest one that is known. */
async function eventsOf(
  log: Log,
  tenantPart: string,
  drafts: readonly LiveEventDraft[],
): Promise<LiveEvent[]> {
  const newest = log.newest.get(tenantPart) ?? (await readNewest(log, tenantPart));
  log.newest.set(tenantPart, newest);
  const at = log.clock();
  return drafts.map((draft, index) => ({ ...draft, at, sequence: newest + 1 + index }));
}

/** How events are written: the one before must be there, so that the log has no gap. */
async function operationsOf(
  log: Log,
  tenantPart: string,
  events: readonly LiveEvent[],
): Promise<WriteOperation[]> {
  const newest = log.newest.get(tenantPart) ?? 0;
  const collection = liveEventsCollection.name;
  const key = liveKey(tenantPart, newest);
  const checks: WriteOperation[] =
    newest === 0 ? [] : [{ type: 'check', collection, key, expectVersion: 1 }];
  const old = await trimmed(log, tenantPart, [newest, newest + events.length]);
  return [...checks, ...events.map((event) => livePut(tenantPart, event)), ...old];
}

/** Reads anew what other processes may have appended. Gives whether they have. */
async function catchUp(log: Log, drafts: Drafts): Promise<boolean> {
  let isBehind = false;
  for (const tenantPart of drafts.keys()) {
    const newest = await readNewest(log, tenantPart);
    if (log.newest.get(tenantPart) !== newest) isBehind = true;
    log.newest.set(tenantPart, newest);
  }
  return isBehind;
}

async function writeOnce(
  log: Log,
  drafts: Drafts,
  write: (events: readonly WriteOperation[]) => Promise<void>,
): Promise<void> {
  const operations: WriteOperation[] = [];
  const appended: (readonly [string, readonly LiveEvent[]])[] = [];
  for (const [tenantPart, list] of drafts) {
    const events = await eventsOf(log, tenantPart, list);
    operations.push(...(await operationsOf(log, tenantPart, events)));
    appended.push([tenantPart, events]);
  }
  await write(operations);
  for (const [tenantPart, events] of appended) {
    log.newest.set(tenantPart, (log.newest.get(tenantPart) ?? 0) + events.length);
    log.onAppended(tenantPart, events);
  }
}

async function writeWithEvents(
  log: Log,
  { operations, options, drafts }: SeenWrite,
): Promise<void> {
  const write = (events: readonly WriteOperation[]) =>
    log.backend.write([...operations, ...events], options);
  for (let tries = 1; ; tries += 1) {
    try {
      await writeOnce(log, drafts, write);
      return;
    } catch (error) {
      const isConflict = isCtxError(error, 'CTX_STORE_CONFLICT');
      // The caller's own conflict, unless another process has appended meanwhile.
      if (!isConflict || tries >= maxConflictTries || !(await catchUp(log, drafts))) throw error;
    }
  }
}

/**
 * Lets a backend log what changes in it, in the same write: an event is there if and only if its change is.
 * Contract: the log of a tenant has no gap and no double, whatever processes write to it; where the write fails there is no event.
 * Writes of one tenant that are to be seen follow one another; those that wait for their turn are written together, each of them
 * whole or not at all. Cost: a record beside what was written, and a check of the one before.
 */
export function withLiveEvents(backend: StoreBackend, options: LiveEventOptions): StoreBackend {
  const { clock, keep = usualKeep, onAppended = () => undefined } = options;
  const { gather = () => Promise.resolve() } = options;
  const log: Log = { backend, clock, keep, onAppended, newest: new Map() };
  const groups = writeGroups({
    inTurn: takeTurns(),
    gather,
    write: (one) => writeWithEvents(log, one),
  });
  return {
    contract: 1,
    name: backend.name,
    supports: backend.supports,
    open: (collections, openOptions) => backend.open(collections, openOptions),
    get: (collection, keys, part) => backend.get(collection, keys, part),
    write: (operations, writeOptions) => {
      const drafts = liveEventsOf(operations);
      if (drafts.size === 0) return backend.write(operations, writeOptions);
      return groups.write({ operations, options: writeOptions, drafts });
    },
    scan: (query) => backend.scan(query),
    tally: (query) => backend.tally(query),
    search: (query) => backend.search(query),
    mark: () => backend.mark?.(),
    close: async () => {
      await groups.settled();
      await backend.close();
    },
  };
}
