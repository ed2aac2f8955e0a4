import type { Answer } from '@ctx/server/schemas';
import { z } from 'zod';

/** One block of the conversation, and what became of it. */
const fitPartSchema = z.object({
  /** Index of its message in the conversation, without the system prompt, and of the block in it. */
  message: z.number(),
  block: z.number(),
  role: z.string(),
  /** `text`, `call`, `result`, or what an opaque block is. */
  kind: z.string(),
  tool: z.string().exactOptional(),
  /**
   * `whole` (in the view as it was), `thin` (the same with fewer line numbers), `normalised`, `same`, `diff`, `overlap`, `preview`, `ledger` (one line stays), `stub` (a short text
   * stays), `part` (shown in part), `gone` (left with its result), `short` (shortened), `cut` (left with its messages).
   */
  form: z.string(),
  why: z.string(),
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  /** The command that gives it back. */
  read: z.string(),
});

export type FitPart = Answer<typeof fitPartSchema>;

/** What `ctx fit --json` answers, on standard error; the conversation goes to standard output. */
export const fitAnswerSchema = z.object({
  file: z.string(),
  format: z.string(),
  policy: z.string(),
  budgetTokens: z.number(),
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  /** What the policy alone came to, where it is none of the window's; over the budget, the window did the rest. */
  tokensOfPolicy: z.number().exactOptional(),
  messagesBefore: z.number(),
  messagesAfter: z.number(),
  /** Messages of the record that count as gone: before its last compaction, or taken back. */
  messagesAside: z.number(),
  fits: z.boolean(),
  /** Whether the bytes of the input were written back. */
  isCopy: z.boolean(),
  /** What the written file does not hold any more, by kind. */
  losses: z.record(z.string(), z.number()),
  /** The session that keeps the conversation as it was; absent where nothing was stored. */
  session: z.string().exactOptional(),
  /** The command that gives the whole conversation back, as a list of messages; absent where nothing was stored. */
  read: z.string().exactOptional(),
  /** Everything that is not shown as it was. */
  left: z.array(fitPartSchema),
  /** Every block in order, with `--explain`. */
  parts: z.array(fitPartSchema).exactOptional(),
  /** Mended before fitting, by kind. */
  repaired: z.record(z.string(), z.number()),
  /** Where the pointers lead. */
  store: z.string(),
});

export type FitAnswer = Answer<typeof fitAnswerSchema>;
