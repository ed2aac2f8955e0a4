import * as z from 'zod';
import type { CheckpointSummary, CheckpointTrigger, ItemCount } from '@ctx/core';

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

const count: z.ZodType<number> = z.int().min(0);
const itemCount: z.ZodType<ItemCount> = z.object({ items: count, tokens: count });

export const checkpointEntrySchema: z.ZodType<CheckpointEntry> = z.object({
  id: z.string(),
  agentId: z.string(),
  sequence: count,
  at: z.string(),
  trigger: z.enum(['limit', 'manual', 'before-restore']),
  label: z.string().exactOptional(),
  sessionId: z.string().exactOptional(),
  event: z.int().min(0).exactOptional().describe("The newest event of the session's log"),
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
