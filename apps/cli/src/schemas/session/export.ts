import type { Answer } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx export --json` answers, on standard error; the transcript goes to standard output or its file. */
export const exportAnswerSchema = z.object({
  session: z.string(),
  format: z.string(),
  events: z.number(),
  bytes: z.number(),
  /** What the format cannot hold, by kind. */
  losses: z.record(z.string(), z.number()),
});

export type ExportAnswer = Answer<typeof exportAnswerSchema>;
