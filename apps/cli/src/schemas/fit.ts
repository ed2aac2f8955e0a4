import { z } from 'zod';

/** One block of the conversation, and what became of it. */
export interface FitPart {
  /** Index of its message in the conversation, without the system prompt, and of the block in it. */
  readonly message: number;
  readonly block: number;
  readonly role: string;
  /** `text`, `call`, `result`, or what an opaque block is. */
  readonly kind: string;
  readonly tool?: string;
  /**
   * `whole` (in the view as it was), `thin` (the same with fewer line numbers), `normalised`, `same`, `diff`, `overlap`, `preview`, `ledger` (one line stays), `stub` (a short text
   * stays), `part` (shown in part), `gone` (left with its result), `short` (shortened), `cut` (left with its messages).
   */
  readonly form: string;
  readonly why: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** The command that gives it back. */
  readonly read: string;
}

/** What `ctx fit --json` answers, on standard error; the conversation goes to standard output. */
export interface FitAnswer {
  readonly file: string;
  readonly format: string;
  readonly policy: string;
  readonly budgetTokens: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** What the policy alone came to, where it is none of the window's; over the budget, the window did the rest. */
  readonly tokensOfPolicy?: number;
  readonly messagesBefore: number;
  readonly messagesAfter: number;
  /** Messages of the record that count as gone: before its last compaction, or taken back. */
  readonly messagesAside: number;
  readonly fits: boolean;
  /** Whether the bytes of the input were written back. */
  readonly isCopy: boolean;
  /** What the written file does not hold any more, by kind. */
  readonly losses: Readonly<Record<string, number>>;
  /** The session that keeps the conversation as it was; absent where nothing was stored. */
  readonly session?: string;
  /** The command that gives the whole conversation back, as a list of messages; absent where nothing was stored. */
  readonly read?: string;
  /** Everything that is not shown as it was. */
  readonly left: readonly FitPart[];
  /** Every block in order, with `--explain`. */
  readonly parts?: readonly FitPart[];
  /** Mended before fitting, by kind. */
  readonly repaired: Readonly<Record<string, number>>;
  /** Where the pointers lead. */
  readonly store: string;
}

const fitPartSchema: z.ZodType<FitPart> = z.object({
  message: z.number(),
  block: z.number(),
  role: z.string(),
  kind: z.string(),
  tool: z.string().exactOptional(),
  form: z.string(),
  why: z.string(),
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  read: z.string(),
});

export const fitAnswerSchema: z.ZodType<FitAnswer> = z.object({
  file: z.string(),
  format: z.string(),
  policy: z.string(),
  budgetTokens: z.number(),
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  tokensOfPolicy: z.number().exactOptional(),
  messagesBefore: z.number(),
  messagesAfter: z.number(),
  messagesAside: z.number(),
  fits: z.boolean(),
  isCopy: z.boolean(),
  losses: z.record(z.string(), z.number()),
  session: z.string().exactOptional(),
  read: z.string().exactOptional(),
  left: z.array(fitPartSchema),
  parts: z.array(fitPartSchema).exactOptional(),
  repaired: z.record(z.string(), z.number()),
  store: z.string(),
});
