import type { Answer } from '@ctx/server/schemas';
import * as z from 'zod';

/** What `ctx init --json` answers. */
export const initAnswerSchema = z.object({
  /** The file of settings. */
  path: z.string(),
  /** What is added and removed, one line each. */
  changes: z.array(z.string()),
  /** False for `--dry-run`, and where nothing had to be changed. */
  written: z.boolean(),
});

export type InitAnswer = Answer<typeof initAnswerSchema>;
