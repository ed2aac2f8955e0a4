/**
 * The smallest shapes of Anthropic's SDK that are needed here. The SDK itself is not imported; contract tests show that its types fit.
 */

/** A message of a request. */
export interface MessageShape {
  readonly role: string;
  readonly content?: unknown;
}

/** What a message is asked for with, stable or beta. */
export interface ParamsShape {
  readonly model: string;
  readonly messages: readonly MessageShape[];
  /** How long the answer may be. */
  readonly max_tokens?: number;
  readonly system?: unknown;
  readonly tools?: unknown;
  /** Server-side context editing; left as it is, but for `clear_at_least` where it is missing. */
  readonly context_management?: unknown;
}

/** What was used, tokens. `input_tokens` leaves out what was read from and written to the cache. */
export interface UsageShape {
  readonly input_tokens?: number | null | undefined;
  readonly output_tokens?: number | null | undefined;
  readonly cache_read_input_tokens?: number | null | undefined;
  readonly cache_creation_input_tokens?: number | null | undefined;
  readonly cache_creation?: { readonly ephemeral_1h_input_tokens: number } | null | undefined;
}

/** An answer. */
export interface AnswerShape {
  readonly role: string;
  readonly content: unknown;
  readonly usage: UsageShape;
  readonly context_management?: unknown;
  /** Why the cache missed, where the request asked for that. */
  readonly diagnostics?: unknown;
}
