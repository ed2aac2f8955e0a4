import { cutText } from '@ctx/core';

/** Signs that break a line, or turn the direction of reading. */
const lineSigns = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Foreign text as it may stand in a line of ours: on one line, of at most so many characters. */
export function oneLine(text: string, maxCharacters: number): string {
  // No more is looked at than could be shown, were half of it signs that go.
  const start = text.slice(0, 4 * maxCharacters);
  return cutText(start.replaceAll(lineSigns, ' ').trim(), { maxCharacters });
}
