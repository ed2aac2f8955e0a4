import { CtxError } from '@ctx/core';
import type { ContextStore, ItemDiff } from '@ctx/store';
import type { LiveEvent } from './live-event.ts';
import type { LiveLog } from './live-log.ts';

/** What became of an agent's items after an event of the live log. */
export interface ItemChangesBehind {
  readonly agentId: string;
  /** Sequence number of the event. */
  readonly since: number;
  /** The newest event when it was asked: what is asked next time. */
  readonly sequence: number;
  /** Items that were saved for the first time. */
  readonly added: ItemDiff['added'];
  /** Items that got another content. */
  readonly changed: ItemDiff['added'];
  /** Items that were touched, pinned, archived or brought back, or fell to another tier because time passed. */
  readonly moved: ItemDiff['added'];
  /** Ids of items that were deleted and are still gone. */
  readonly removed: readonly string[];
  /** Deletions that the log counts without their ids, as it does where many came with one write. */
  readonly unnamed: number;
}

/** Where changes are looked for. */
export interface ChangesSource {
  readonly store: Pick<ContextStore, 'checkpoints'>;
  readonly log: LiveLog;
}

/** A write plans its times before its event gets a place: what is after an event may bear a time of up to so much before, ms. */
const slackMs = 1000;

/**
 * The moment of an event; 0 is before the first one.
 * @throws `CTX_INVALID_INPUT` for an event that is not in the log.
 */
async function momentOf(log: LiveLog, sequence: number): Promise<number> {
  if (sequence === 0) return 0;
  const [event] = await log.after(sequence - 1, 1);
  if (event?.sequence === sequence) return event.at;
  const message = `event ${String(sequence)} is not in the log: read the items again`;
  throw new CtxError('CTX_INVALID_INPUT', message);
}

async function deletionsBehind(
  log: LiveLog,
  agentId: string,
  [from, to]: readonly [number, number],
): Promise<{ readonly ids: ReadonlySet<string>; readonly unnamed: number }> {
  const ids = new Set<string>();
  let unnamed = 0;
  const note = ({ type, agentId: of, id, count = 1 }: LiveEvent): void => {
    if (type !== 'item-deleted' || of !== agentId) return;
    if (id === undefined) unnamed += count;
    else ids.add(id);
  };
  for (let last = from; last < to; ) {
    const events = await log.after(last, 1000);
    events.forEach(note);
    last = events.at(-1)?.sequence ?? to;
  }
  return { ids, unnamed };
}

/**
 * Returns what changed in an agent's items after an event of the live log. A caller that asks again with the `sequence` of the answer
 * misses nothing, but may get the last second twice.
 * Reads the later events and the items that changed or fell to a lower tier.
 * @throws `CTX_INVALID_INPUT` for an event that is not, or no longer, in the log.
 */
export async function changesSinceEvent(
  { store, log }: ChangesSource,
  agentId: string,
  since: number,
): Promise<ItemChangesBehind> {
  // The newest comes first: what is written meanwhile is told again rather than not at all.
  const { newest: sequence } = await log.bounds();
  const moment = await momentOf(log, since);
  const { added, changed, moved } = await store.checkpoints.changesSince(agentId, moment - slackMs);
  const { ids, unnamed } = await deletionsBehind(log, agentId, [since, sequence]);
  const there = new Set([...added, ...changed, ...moved].map(({ id }) => id));
  const removed = [...ids].filter((id) => !there.has(id));
  return { agentId, since, sequence, added, changed, moved, removed, unnamed };
}
