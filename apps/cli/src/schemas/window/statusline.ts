import type { Answer } from '@ctx/server/schemas';
import * as z from 'zod';

const count = z.number().min(0);

/** What `ctx statusline --json` answers: the numbers of the line. What nobody knows is missing. */
export const statuslineAnswerSchema = z.object({
  session: z.string().exactOptional(),
  model: z.string().exactOptional(),
  usedTokens: count.exactOptional(),
  windowTokens: count.exactOptional(),
  /** Outputs that are stored, and their tokens. */
  outputs: count,
  outputTokens: count,
  /** Results that hooks kept out of the window, and the tokens that this saved. */
  offloaded: count,
  savedTokens: count,
  /** Compactions of the session. */
  flushes: count,
  /** Items of the session's agent by tier. */
  tiers: z.object({ hot: count, warm: count, cold: count }),
  costUsd: count.exactOptional(),
});

export type StatuslineAnswer = Answer<typeof statuslineAnswerSchema>;
