import type { Clock } from '@ctx/core';
import { type StoreBackend, takeTurns, wrapBackend } from '@ctx/store/backend';
import { appendingWriter } from './append-events.ts';
import type { LiveChange, LiveEventDraft } from './live-event.ts';
import { liveEventsOf } from './live-events-of.ts';
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

/** Most groups of writes that a store has at once. Source: measured, saves of 32 clients. */
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

/**
 * Lets a backend log what changes in it, in the same write: an event is there if and only if its change is.
 * The log of a tenant has no gap and no double, whatever processes write to it; where the write fails there is no event.
 * Writes of one tenant that are to be seen follow one another; those that wait for their turn are written together, each of them
 * whole or not at all. Writes one more record; see `appendingWriter`.
 */
export function withLiveEvents(backend: StoreBackend, options: LiveEventOptions): StoreBackend {
  const { clock, keep = usualKeep, gather = () => Promise.resolve() } = options;
  const { onAppended = () => undefined } = options;
  const writer = appendingWriter({ backend, clock, keep });
  const write = async ({ drafts, ...rest }: SeenWrite): Promise<void> => {
    const changes = stamped(drafts, clock());
    await writer({ changes, ...rest });
    for (const [tenantPart, list] of changes) onAppended(tenantPart, list);
  };
  const groups = writeGroups({ inTurn: takeTurns(), gather, write, mostAtOnce: mostAhead });
  return wrapBackend(backend, {
    write: (operations, writeOptions) => {
      const drafts = liveEventsOf(operations);
      if (drafts.size === 0) return backend.write(operations, writeOptions);
      return groups.write({ operations, options: writeOptions, drafts });
    },
    close: async () => {
      await groups.settled();
      await backend.close();
    },
  });
}
