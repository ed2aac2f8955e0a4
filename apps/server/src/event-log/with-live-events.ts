import type { Clock } from '@ctx/core';
import { passedLists } from '@ctx/store/backend';
import type { StoreBackend } from '@ctx/store/backend';
import { takeTurns } from '@ctx/store/backend';
import { appendingWriter } from './append-events.ts';
import { chainingWriter } from './chain-events.ts';
import type { LiveChange, LiveEventDraft } from './live-event.ts';
import { liveEventsOf } from './live-events-of.ts';
import type { EventWriter } from './stamped-write.ts';
import { type SeenWrite, writeGroups } from './write-groups.ts';

/** How the log of a store is kept. */
export interface LiveEventOptions {
  readonly clock: Clock;
  /** Events that a tenant's log keeps, at least; older ones go in batches. Default 10,000. */
  readonly keep?: number;
  /** Called after a write with the tenant, as keys hold it, and the events of the write. */
  readonly onAppended?: (tenantPart: string, events: readonly LiveChange[]) => void;
  /** Resolves when the writes of this moment have been asked for: those of a tenant are written together. Default: at once. */
  readonly gather?: () => Promise<void>;
}

const usualKeep = 10_000;

/** Most groups of writes that a store has at once that writes beside this thread. Source: measured, saves of 32 clients. */
const mostAhead = 4;

/** Gives the events their moment. */
function stamped(
  drafts: ReadonlyMap<string, readonly LiveEventDraft[]>,
  at: number,
): Map<string, readonly LiveChange[]> {
  return new Map(
    [...drafts].map(([tenantPart, list]) => [tenantPart, list.map((draft) => ({ at, ...draft }))]),
  );
}

function writerOf(
  backend: StoreBackend,
  { clock, keep = usualKeep }: LiveEventOptions,
): EventWriter {
  const place = { backend, clock, keep };
  return backend.supports.appends === true ? appendingWriter(place) : chainingWriter(place);
}

/**
 * Lets a backend log what changes in it, in the same write: an event is there if and only if its change is.
 * Contract: the log of a tenant has no gap and no double, whatever processes write to it; where the write fails there is no event.
 * Writes of one tenant that are to be seen follow one another; those that wait for their turn are written together, each of them
 * whole or not at all. Cost: a record beside what was written; see `appendingWriter` and `chainingWriter`.
 */
export function withLiveEvents(backend: StoreBackend, options: LiveEventOptions): StoreBackend {
  const { clock, gather = () => Promise.resolve(), onAppended = () => undefined } = options;
  const writer = writerOf(backend, options);
  const write = async ({ drafts, ...rest }: SeenWrite): Promise<void> => {
    const changes = stamped(drafts, clock());
    await writer({ changes, ...rest });
    for (const [tenantPart, list] of changes) onAppended(tenantPart, list);
  };
  const { appends = false, writesAhead = false } = backend.supports;
  const mostAtOnce = appends && writesAhead ? mostAhead : 1;
  const groups = writeGroups({ inTurn: takeTurns(), gather, write, mostAtOnce });
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
    ...passedLists(backend),
    close: async () => {
      await groups.settled();
      await backend.close();
    },
  };
}
