import type { ResultBlock } from '@ctx/core';

/** The text of a result; `undefined` where it holds more than text. */
export function plainText(content: readonly ResultBlock[]): string | undefined {
  const texts: string[] = [];
  for (const block of content) {
    if (block.type !== 'text') return undefined;
    texts.push(block.text);
  }
  return texts.join('\n');
}
