import type { CheckpointSummary, RestoreReceipt } from '@ctx/store';
import * as z from 'zod';
import type { Answer } from './answer.ts';

const count = z.int().min(0);
const itemCount = z.object({ items: count, tokens: count });

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

/** What a restore did. */
export const restoredSchema = z.object({
  checkpoint: checkpointEntrySchema,
  undo: z.string().exactOptional().describe('Restoring this one takes the restore back'),
  items: z.object({
    restored: count,
    contents: count,
    unchanged: count,
    archived: count,
    missing: z.array(z.string()).describe('Items whose content of then is gone for good'),
    purged: count.describe('Items that were purged since; nobody knows what they were called'),
  }),
  session: z.enum(['restored', 'unchanged', 'none']),
});

/** Makes the answer of a restore. */
export function restoredOf(receipt: RestoreReceipt): z.infer<typeof restoredSchema> {
  const { checkpoint, undo, items, session } = receipt;
  return {
    checkpoint: checkpointEntryOf(checkpoint),
    ...(undo === undefined ? {} : { undo: undo.id }),
    items: { ...items, missing: [...items.missing] },
    session,
  };
}
