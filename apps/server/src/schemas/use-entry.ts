import type { measureContext } from '@ctx/replay';
import { usedParts } from '@ctx/replay';
import * as z from 'zod';

type ContextUse = NonNullable<Awaited<ReturnType<typeof measureContext>>>;

/** Where the tokens of a window go, as `ctx status` says it. */
export const useSchema = z.object({
  source: z
    .enum(['window', 'transcript'])
    .describe(
      'window: one that ctx keeps; transcript: what an imported agent showed its model last',
    ),
  windowTokens: z.int(),
  isAssumed: z.boolean().describe('Whether the size of the window is assumed: nothing tells it'),
  tokens: z.int().describe('The sum of all parts'),
  parts: z.array(z.object({ part: z.enum(usedParts), tokens: z.int() })),
  freeTokens: z.int(),
  reserveTokens: z.int().describe('Reserved for output'),
});

/** The entry of an answer. */
export function useEntryOf(use: ContextUse): z.infer<typeof useSchema> {
  return { ...use, parts: use.parts.map((part) => ({ ...part })) };
}
