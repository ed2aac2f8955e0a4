import { z } from 'zod';
import { type PointerEntry, pointerEntrySchema } from './pointer.ts';

/** What `ctx search --json` answers. */
export interface SearchAnswer {
  readonly store: string;
  readonly words: string;
  /** Best first. A score compares within one answer only. */
  readonly hits: readonly { readonly score: number; readonly output: PointerEntry }[];
}

export const searchAnswerSchema: z.ZodType<SearchAnswer> = z.object({
  store: z.string(),
  words: z.string(),
  hits: z.array(z.object({ score: z.number(), output: pointerEntrySchema })),
});
