import type { TokenCounter } from '@ctx/core';

/** Shorter texts are counted again as fast as they are found. */
const minCharacters = 200;

/**
 * Counts a text once that is counted again soon: a result counts as part of its message, and as an output when its batch is
 * written. Memory: the newest texts, at most about `maxCharacters`. Default: two batches.
 */
export function rememberCounts(counter: TokenCounter, maxCharacters = 1_000_000): TokenCounter {
  const counts = new Map<string, number>();
  let held = 0;
  return (text) => {
    if (text.length < minCharacters) return counter(text);
    const known = counts.get(text);
    if (known !== undefined) return known;
    const tokens = counter(text);
    if (held + text.length > maxCharacters) {
      counts.clear();
      held = 0;
    }
    counts.set(text, tokens);
    held += text.length;
    return tokens;
  };
}
