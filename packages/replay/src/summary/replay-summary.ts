import { z } from 'zod';

/** One policy, on one session or summed over several. */
export const replayRowSchema = z.object({
  policy: z.string(),
  requests: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** Largest request, tokens. */
  peakTokens: z.number(),
  /** Cost of the input in uncached-token equivalents: input tokens at full price, cached ones at theirs. */
  inputUte: z.number(),
  /** The same with the answers and what a summariser wrote, whose tokens have a price of their own. */
  ute: z.number(),
  dollars: z.number(),
  /** Input tokens that the provider's prompt cache answers. */
  cachedTokens: z.number(),
  /** cachedTokens / inputTokens, 0…1. */
  hitRate: z.number(),
  /** Input tokens that had been sent before and are paid again: because something before them changed, and because the cache forgot them. */
  resentTokens: z.number(),
  expiredTokens: z.number(),
  /** Requests in which something that had been sent was paid again because of a change before it. */
  prefixBreaks: z.number(),
  overWindow: z.number(),
  invalid: z.number(),
  /** Edits whose old text stood in an earlier tool result; of these, in view and recoverable by pointer. */
  edits: z.number(),
  editsInView: z.number(),
  editsRecoverable: z.number(),
  /** Lines of later reads that had been shown before, tokens; of these, those that stood in the request. */
  rereadTokens: z.number(),
  rereadTokensInView: z.number(),
  /** First uses of identifiers that only tool results held; of these, those that stood in the request. */
  namesUsed: z.number(),
  namesInView: z.number(),
  /** Tool outputs, and those that come back byte for byte from the last request or a pointer in it. */
  outputs: z.number(),
  outputsRecoverable: z.number(),
  /** Tokens of the session that requests did not carry, summed over them: as results came in, as they stood in the view, and since they left. */
  savedAtInsertion: z.number(),
  savedByDedupe: z.number(),
  savedByLeaving: z.number(),
});

export type ReplayRow = Readonly<z.infer<typeof replayRowSchema>>;

const sessionSchema = z.object({
  id: z.string(),
  file: z.string(),
  format: z.string(),
  messages: z.number(),
  requests: z.number(),
  /** Where the times of the requests come from. */
  times: z.enum(['file', 'transcript', '20 s a step']),
  /** Mended before the replay, by kind. */
  repaired: z.record(z.string(), z.number()),
  /** Id of the main session of the file, where this is another lane of it, such as that of a sub-agent. */
  asideOf: z.string().exactOptional(),
  saved: z.object({
    outputs: z.number(),
    bytes: z.number(),
    offloaded: z.number(),
    shared: z.number(),
    redacted: z.number(),
  }),
  policies: z.array(replayRowSchema),
});

/** What the replay of several sessions found, with what it was told. */
export const replaySummarySchema = z.object({
  redact: z.enum(['on', 'report', 'off']),
  windowTokens: z.number(),
  price: z.string(),
  pricesDate: z.string(),
  sessions: z.array(sessionSchema),
  totals: z.array(replayRowSchema),
});

export type ReplayedSession = Readonly<
  Omit<z.infer<typeof sessionSchema>, 'policies'> & { readonly policies: readonly ReplayRow[] }
>;

export type ReplaySummary = Readonly<
  Omit<z.infer<typeof replaySummarySchema>, 'sessions' | 'totals'> & {
    readonly sessions: readonly ReplayedSession[];
    readonly totals: readonly ReplayRow[];
  }
>;
