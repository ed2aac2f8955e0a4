import { z } from 'zod';

/** What `ctx fit --json` answers, on standard error; the conversation goes to standard output. */
export interface FitAnswer {
  readonly file: string;
  readonly format: string;
  readonly budgetTokens: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly fits: boolean;
  /** Whether the bytes of the input were written back. */
  readonly isCopy: boolean;
  /** What the format cannot hold, by kind. */
  readonly losses: Readonly<Record<string, number>>;
  /** The session that keeps what left; absent where nothing was stored. */
  readonly session?: string;
  /** Results that were replaced by a preview with a pointer. */
  readonly offloaded: readonly string[];
  /** Messages that left. */
  readonly droppedMessages: number;
  /** Where the messages that left can be read. */
  readonly droppedPointer?: string;
  /** Mended before fitting, by kind. */
  readonly repaired: Readonly<Record<string, number>>;
  /** Where the pointers lead. */
  readonly store: string;
}

export const fitAnswerSchema: z.ZodType<FitAnswer> = z.object({
  file: z.string(),
  format: z.string(),
  budgetTokens: z.number(),
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  fits: z.boolean(),
  isCopy: z.boolean(),
  losses: z.record(z.string(), z.number()),
  session: z.string().exactOptional(),
  offloaded: z.array(z.string()),
  droppedMessages: z.number(),
  droppedPointer: z.string().exactOptional(),
  repaired: z.record(z.string(), z.number()),
  store: z.string(),
});
