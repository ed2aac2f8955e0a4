import type { TokenCounter } from '@ctx/core';
import { approximateTokens } from '@ctx/tokens/approximate';
import { type OffloadTextInput, offloadText, splitLines } from '../../insert/offload-text.ts';
import type { PreviewText } from './plan-insert.ts';

/** How previews count, and what they say of reading the rest. */
export interface PreviewSettings extends Pick<OffloadTextInput, 'readHint'> {
  /** Default: an approximation. */
  readonly countTokens?: TokenCounter;
}

/** Returns what makes the previews of a window: the text that `recordToolOutput` would put in the place of the same result. */
export function previewTexts({
  countTokens = approximateTokens,
  ...hint
}: PreviewSettings = {}): PreviewText {
  return ({ text, pointer: uri, tokens, ...limits }) => {
    const bytes = new TextEncoder().encode(text).length;
    const pointer = { tokens, lines: splitLines(text).length, bytes };
    return offloadText({ pointer: { ...pointer, uri }, text, countTokens, ...limits, ...hint });
  };
}
