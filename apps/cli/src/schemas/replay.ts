import { z } from 'zod';

/** One policy, on one session or summed over several. */
export interface ReplayRow {
  readonly policy: string;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Largest request, tokens. */
  readonly peakTokens: number;
  /** Cost in uncached-token equivalents: input tokens at full price, cached ones at theirs, output tokens at theirs. */
  readonly ute: number;
  readonly dollars: number;
  /** Input tokens that the provider's prompt cache answers. */
  readonly cachedTokens: number;
  /** cachedTokens / inputTokens, 0…1. */
  readonly hitRate: number;
  /** Input tokens that had been sent before and are paid again: because something before them changed, and because the cache forgot them. */
  readonly resentTokens: number;
  readonly expiredTokens: number;
  /** Requests in which something that had been sent was paid again because of a change before it. */
  readonly prefixBreaks: number;
  readonly overWindow: number;
  readonly invalid: number;
  /** Edits whose old text stood in an earlier tool result; of these, in view and recoverable by pointer. */
  readonly edits: number;
  readonly editsInView: number;
  readonly editsRecoverable: number;
  /** Lines of later reads that had been shown before, tokens; of these, those that stood in the request. */
  readonly rereadTokens: number;
  readonly rereadTokensInView: number;
  /** First uses of identifiers that only tool results held; of these, those that stood in the request. */
  readonly namesUsed: number;
  readonly namesInView: number;
  /** Tool outputs, and those that come back byte for byte from the last request or a pointer in it. */
  readonly outputs: number;
  readonly outputsRecoverable: number;
}

/** What was stored while a session was replayed. */
export interface ReplaySaved {
  readonly outputs: number;
  readonly bytes: number;
  readonly offloaded: number;
  readonly shared: number;
  readonly redacted: number;
}

export interface ReplayedSession {
  readonly id: string;
  readonly file: string;
  readonly format: string;
  readonly messages: number;
  readonly requests: number;
  /** Where the times of the requests come from. */
  readonly times: 'file' | 'transcript' | '20 s a step';
  /** Mended before the replay, by kind. */
  readonly repaired: Readonly<Record<string, number>>;
  /** Lanes of the file that were not replayed, such as those of subagents; left out where there are none. */
  readonly lanesLeftOut?: number;
  readonly saved: ReplaySaved;
  readonly policies: readonly ReplayRow[];
}

/** What `ctx replay --json` answers. */
export interface ReplayAnswer {
  readonly store: string;
  readonly redact: 'on' | 'report' | 'off';
  readonly windowTokens: number;
  readonly price: string;
  readonly pricesDate: string;
  readonly sessions: readonly ReplayedSession[];
  readonly totals: readonly ReplayRow[];
}

const replayRowSchema: z.ZodType<ReplayRow> = z.object({
  policy: z.string(),
  requests: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  peakTokens: z.number(),
  ute: z.number(),
  dollars: z.number(),
  cachedTokens: z.number(),
  hitRate: z.number(),
  resentTokens: z.number(),
  expiredTokens: z.number(),
  prefixBreaks: z.number(),
  overWindow: z.number(),
  invalid: z.number(),
  edits: z.number(),
  editsInView: z.number(),
  editsRecoverable: z.number(),
  rereadTokens: z.number(),
  rereadTokensInView: z.number(),
  namesUsed: z.number(),
  namesInView: z.number(),
  outputs: z.number(),
  outputsRecoverable: z.number(),
});

export const replayAnswerSchema: z.ZodType<ReplayAnswer> = z.object({
  store: z.string(),
  redact: z.enum(['on', 'report', 'off']),
  windowTokens: z.number(),
  price: z.string(),
  pricesDate: z.string(),
  sessions: z.array(
    z.object({
      id: z.string(),
      file: z.string(),
      format: z.string(),
      messages: z.number(),
      requests: z.number(),
      times: z.enum(['file', 'transcript', '20 s a step']),
      repaired: z.record(z.string(), z.number()),
      lanesLeftOut: z.number().exactOptional(),
      saved: z.object({
        outputs: z.number(),
        bytes: z.number(),
        offloaded: z.number(),
        shared: z.number(),
        redacted: z.number(),
      }),
      policies: z.array(replayRowSchema),
    }),
  ),
  totals: z.array(replayRowSchema),
});
