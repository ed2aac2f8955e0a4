/** The window that is assumed if none is known, tokens. Source: seed 002. */
export const unknownWindowTokens = 128_000;

/** Limits that are not the formula's. Source: seed 002. */
const knownLimits: ReadonlyMap<number, number> = new Map([
  [64_000, 37_000],
  [128_000, 98_000],
  [200_000, 160_000],
]);

/** Tokens of input that a provider takes at most, where that is less than the window it names. Source: seed 002's cases. */
const inputCaps: ReadonlyMap<string, number> = new Map([['openai-codex', 272_000]]);

/** A model's window, as far as the caller knows it. */
export interface WindowSize {
  readonly windowTokens?: number;
  /** The provider's own name, for those that take less input than the window. */
  readonly providerId?: string;
}

/** The window that counts, tokens. A size that is no positive number counts as unknown. */
export function usableWindow({ windowTokens, providerId }: WindowSize): number {
  const isKnown = windowTokens !== undefined && Number.isFinite(windowTokens) && windowTokens > 0;
  const window = isKnown ? windowTokens : unknownWindowTokens;
  return Math.min(window, inputCaps.get(providerId ?? '') ?? window);
}

/**
 * Tokens at which a conversation is cut, by the model's window: room for the answer and for what the estimate misses.
 * Source: seed 002.
 */
export function contextLimit(windowTokens?: number): number {
  const window = usableWindow(windowTokens === undefined ? {} : { windowTokens });
  return knownLimits.get(window) ?? Math.max(window - 40_000, window * 0.8);
}
