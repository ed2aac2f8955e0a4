import { type SearchHitEntry, searchHitEntrySchema } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx search --json` answers. */
export interface SearchAnswer {
  readonly store: string;
  readonly words: string;
  /** Best first. A score compares within one answer only. */
  readonly hits: readonly SearchHitEntry[];
}

export const searchAnswerSchema: z.ZodType<SearchAnswer> = z.object({
  store: z.string(),
  words: z.string(),
  hits: z.array(searchHitEntrySchema),
});
