import type { CheckpointSummary, CheckpointTrigger, ItemCount, ItemDiff } from '@ctx/core';
import { z } from 'zod';

const count = z.int().min(0);
const itemCount = z.object({ items: count, tokens: count });

/** A checkpoint in a list. */
export interface CheckpointEntry {
  readonly id: string;
  readonly agentId: string;
  /** Number within the agent, from 0. */
  readonly sequence: number;
  /** ISO 8601. */
  readonly at: string;
  readonly trigger: CheckpointTrigger;
  readonly label?: string;
  readonly sessionId?: string;
  /** The newest event of the session's log. */
  readonly event?: number;
  readonly hot: ItemCount;
  readonly warm: ItemCount;
  readonly cold: ItemCount;
  readonly archived: ItemCount;
}

export const checkpointEntry: z.ZodType<CheckpointEntry> = z.object({
  id: z.string(),
  agentId: z.string(),
  sequence: count,
  at: z.string(),
  trigger: z.enum(['limit', 'manual', 'before-restore']),
  label: z.string().exactOptional(),
  sessionId: z.string().exactOptional(),
  event: count.exactOptional().describe("The newest event of the session's log"),
  hot: itemCount,
  warm: itemCount,
  cold: itemCount,
  archived: itemCount,
});

/** Makes the entry of a checkpoint. */
export function checkpointEntryOf(checkpoint: CheckpointSummary): CheckpointEntry {
  const { id, agentId, sequence, createdAt, trigger, label, sessionId, eventSequence } = checkpoint;
  const { hot, warm, cold, archived } = checkpoint;
  return {
    id,
    agentId,
    sequence,
    at: new Date(createdAt).toISOString(),
    trigger,
    ...(label === undefined ? {} : { label }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(eventSequence === undefined ? {} : { event: eventSequence }),
    hot: { ...hot },
    warm: { ...warm },
    cold: { ...cold },
    archived: { ...archived },
  };
}

const place = z.enum(['hot', 'warm', 'cold', 'archived']);
const diffEntry = z.object({ id: z.string(), fingerprint: z.string(), place });
const diffChange = z.object({ before: diffEntry, after: diffEntry });

/** What became of items between two moments. */
export const diffAnswer: z.ZodType<ItemDiff> = z.object({
  added: z.array(diffEntry),
  changed: z.array(diffChange).describe('Another content'),
  moved: z.array(diffChange).describe('Another tier, or archived now, or no longer'),
  removed: z.array(diffEntry),
  unchanged: count,
});

/** Makes the answer of a diff. */
export function diffAnswerOf({ added, changed, moved, removed, unchanged }: ItemDiff): ItemDiff {
  return { added, changed, moved, removed, unchanged };
}
