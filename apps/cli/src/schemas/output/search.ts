import { type Answer, entrySchemas } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx search --json` answers. */
export const searchAnswerSchema = z.object({
  store: z.string(),
  words: z.string(),
  /** Those that hold all of it first, then those that hold less (`match`). A score compares within one answer and one `match` only. */
  hits: z.array(entrySchemas.searchHit),
  /** False where more may match. */
  isComplete: z.boolean(),
  /** Records of an older store that no search finds until their words are taken in. */
  unsearched: z.int().min(0),
  /** Outputs so long that the words at their end are not found. */
  partlySearched: z.int().min(0),
  /** How many hits are left out that repeat a call and its result from another session. */
  copies: z.int().min(0),
});

export type SearchAnswer = Answer<typeof searchAnswerSchema>;
