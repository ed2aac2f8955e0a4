/**
 * The smallest shapes of the OpenAI Agents SDK that are needed here. The SDK itself is not imported; contract tests show that its types
 * fit.
 */

/** An item of a history: a message, a call, a result, reasoning, a compaction, or what is not known yet. */
export type ItemShape = object;

/** What a run hands along: `context` is the host's own object. */
export interface RunContextShape {
  readonly context?: unknown;
}

/** What was used by one request, tokens. `inputTokens` has what was read from the cache in it. */
export interface UsageShape {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly inputTokensDetails?: unknown;
}
