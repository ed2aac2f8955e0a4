import { type Answer, entrySchemas } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx show --json` answers. */
export const showAnswerSchema = z.object({
  store: z.string(),
  session: entrySchemas.session,
  /** The session document (facts, summary, tasks, statistics). */
  document: z.unknown(),
  totals: z.object({
    events: z.number(),
    tokens: z.number(),
    outputs: z.number(),
    outputBytes: z.number(),
    outputTokens: z.number(),
  }),
  events: z.array(entrySchemas.log),
  /** Give it as `--from` to read on; missing at the end. */
  next: z.number().exactOptional(),
});

export type ShowAnswer = Answer<typeof showAnswerSchema>;
