import * as z from 'zod';

/** What `ctx statusline --json` answers: the numbers of the line. What nobody knows is missing. */
export interface StatuslineAnswer {
  readonly session?: string;
  readonly model?: string;
  readonly usedTokens?: number;
  readonly windowTokens?: number;
  /** Outputs that are stored, and their tokens. */
  readonly outputs: number;
  readonly outputTokens: number;
  /** Results that hooks kept out of the window, and the tokens that this saved. */
  readonly offloaded: number;
  readonly savedTokens: number;
  /** Compactions of the session. */
  readonly flushes: number;
  /** Items of the session's agent by tier. */
  readonly tiers: { readonly hot: number; readonly warm: number; readonly cold: number };
  readonly costUsd?: number;
}

const count: z.ZodType<number> = z.number().min(0);

export const statuslineAnswerSchema: z.ZodType<StatuslineAnswer> = z.object({
  session: z.string().exactOptional(),
  model: z.string().exactOptional(),
  usedTokens: count.exactOptional(),
  windowTokens: count.exactOptional(),
  outputs: count,
  outputTokens: count,
  offloaded: count,
  savedTokens: count,
  flushes: count,
  tiers: z.object({ hot: count, warm: count, cold: count }),
  costUsd: count.exactOptional(),
});
