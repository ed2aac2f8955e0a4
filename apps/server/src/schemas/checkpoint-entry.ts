import type { CheckpointSummary, ItemCount } from '@ctx/store';
import * as z from 'zod';
import type { Answer } from './answer.ts';

const count = z.int().min(0);
const itemCount: z.ZodType<ItemCount> = z.object({ items: count, tokens: count });

/** A checkpoint in a list. */
export const checkpointEntrySchema = z.object({
  id: z.string(),
  agentId: z.string(),
  /** Number within the agent, from 0. */
  sequence: count,
  /** ISO 8601. */
  at: z.string(),
  trigger: z.enum(['limit', 'manual', 'before-restore']),
  label: z.string().exactOptional(),
  sessionId: z.string().exactOptional(),
  /** The newest event of the session's log. */
  event: z.int().min(0).exactOptional().describe("The newest event of the session's log"),
  hot: itemCount,
  warm: itemCount,
  cold: itemCount,
  archived: itemCount,
});

export type CheckpointEntry = Answer<typeof checkpointEntrySchema>;

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
