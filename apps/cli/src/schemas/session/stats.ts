import type { Answer } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx stats --json` answers. */
export const statsAnswerSchema = z.object({
  store: z.string(),
  backend: z.string(),
  sessions: z.number(),
  /** Log entries of all sessions, or of the one that was asked for. */
  events: z.number(),
  eventTokens: z.number(),
  outputs: z.number(),
  outputBytes: z.number(),
  outputTokens: z.number(),
});

export type StatsAnswer = Answer<typeof statsAnswerSchema>;
