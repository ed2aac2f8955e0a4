import type { Answer } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx up --json` answers, as soon as it listens. */
export const upAnswerSchema = z.object({
  url: z.string(),
  port: z.int(),
  store: z.string(),
  /** File that holds the key; absent with `--no-auth` and for a store in memory. */
  keyFile: z.string().exactOptional(),
});

export type UpAnswer = Answer<typeof upAnswerSchema>;
