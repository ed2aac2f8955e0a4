import type { ItemDiff } from '@ctx/store';
import { z } from 'zod';

const place = z.enum(['hot', 'warm', 'cold', 'archived']);
/** An item, and where it stands. */
export const diffEntry: z.ZodType<ItemDiff['added'][number]> = z.object({
  id: z.string(),
  fingerprint: z.string(),
  place,
});
const diffChange = z.object({ before: diffEntry, after: diffEntry });

/** What became of items between two moments. */
export const diffAnswer: z.ZodType<ItemDiff> = z.object({
  added: z.array(diffEntry),
  changed: z.array(diffChange).describe('Another content'),
  moved: z.array(diffChange).describe('Another tier, or archived now, or no longer'),
  removed: z.array(diffEntry),
  unchanged: z.int().min(0),
});

/** Makes the answer of a diff. */
export function diffAnswerOf({ added, changed, moved, removed, unchanged }: ItemDiff): ItemDiff {
  return { added, changed, moved, removed, unchanged };
}
