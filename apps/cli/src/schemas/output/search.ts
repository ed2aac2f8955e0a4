import { type Answer, entrySchemas } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx search --json` answers. */
export const searchAnswerSchema = z.object({
  store: z.string(),
  words: z.string(),
  /** Best first. A score compares within one answer only. */
  hits: z.array(entrySchemas.searchHit),
});

export type SearchAnswer = Answer<typeof searchAnswerSchema>;
