/**
 * Counts the tokens of a text. Pure, never throws, and returns 0 for the empty text.
 * `@ctx/tokens` has exact counters; `approximateTokens` of `@ctx/tokens/approximate` needs no tables.
 */
export type TokenCounter = (text: string) => number;
