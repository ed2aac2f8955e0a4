/**
 * Counts the tokens of a text.
 * Contract: pure, never throws, 0 for the empty text. @ctx/tokens makes exact ones, `approximateTokens` needs no tables.
 */
export type TokenCounter = (text: string) => number;
