import type { StoredChannel } from './checkpoint-record.ts';

/** What pruning looks at of a checkpoint. */
export interface PrunableCheckpoint {
  readonly id: string;
  readonly parentId?: string;
  readonly createdAt: number;
  readonly values: readonly StoredChannel[];
  /** Channels whose value is made from the writes of checkpoints before. */
  readonly deltas: readonly string[];
  /** Whether the checkpoint before it is needed to read it. */
  readonly needsParent: boolean;
}

/** Which checkpoints of a thread stay. */
export interface PruneOptions {
  /** How many of the newest stay in each namespace, at least 1. Default 1. */
  readonly keepNewest?: number;
  /** Only what is older leaves, ms. Default 0: whatever its age. */
  readonly olderThanMs?: number;
}

/** Whom the value of a checkpoint's channels is made from, as far back as it has to be. */
function neededBy(
  checkpoint: PrunableCheckpoint,
  byId: ReadonlyMap<string, PrunableCheckpoint>,
): string[] {
  const needed: string[] = [];
  const open = new Set(checkpoint.deltas);
  const settle = ({ values }: PrunableCheckpoint): void => {
    for (const { channel } of values) open.delete(channel);
  };
  settle(checkpoint);
  let next = checkpoint.parentId;
  let isNeeded = checkpoint.needsParent;
  while (next !== undefined && (isNeeded || open.size > 0)) {
    const parent = byId.get(next);
    if (parent === undefined) break;
    needed.push(parent.id);
    settle(parent);
    isNeeded = false;
    next = parent.parentId;
  }
  return needed;
}

/**
 * Decides which checkpoints of a namespace leave. `checkpoints`: newest first; `now`: ms since the epoch.
 * Pure; the newest stays, and so does what is needed to read those that stay; planning on the result leaves nothing to do.
 */
export function planPrune(
  checkpoints: readonly PrunableCheckpoint[],
  now: number,
  { keepNewest = 1, olderThanMs = 0 }: PruneOptions = {},
): { readonly leaving: readonly string[]; readonly staying: readonly string[] } {
  const byId = new Map(checkpoints.map((checkpoint) => [checkpoint.id, checkpoint]));
  const wanted = checkpoints.filter(
    ({ createdAt }, index) => index < Math.max(1, keepNewest) || now - createdAt < olderThanMs,
  );
  const kept = new Set(wanted.flatMap((each) => [each.id, ...neededBy(each, byId)]));
  const ids = checkpoints.map(({ id }) => id);
  return {
    leaving: ids.filter((id) => !kept.has(id)),
    staying: ids.filter((id) => kept.has(id)),
  };
}
