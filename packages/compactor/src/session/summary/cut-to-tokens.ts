import { cutText, type TokenCounter } from '@ctx/core';

/** No text has more characters a token, repeated ones aside: what is cut off before the first count would not fit. */
const mostCharactersPerToken = 8;

/**
 * The beginning of a text that has at most `maxTokens`, never cut inside of a sign.
 * Makes about 12 counts of texts that are no longer than eight times the budget.
 */
export function cutToTokens(text: string, maxTokens: number, countTokens: TokenCounter): string {
  if (maxTokens <= 0) return '';
  let fits = '';
  let low = 0;
  let high = Math.min(text.length, maxTokens * mostCharactersPerToken);
  const whole = cutText(text, { maxCharacters: high });
  if (countTokens(whole) <= maxTokens) return whole;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const candidate = cutText(text, { maxCharacters: middle });
    if (countTokens(candidate) <= maxTokens) {
      fits = candidate;
      low = middle;
    } else high = middle;
  }
  return fits;
}
