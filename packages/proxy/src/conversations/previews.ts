import type { TokenCounter } from '@ctx/core';
import { type PreviewText, previewTexts, shellReadHint } from '@ctx/truncation';

/** The previews of results, which say how a shell reads the rest. */
export function previewsOf(countTokens: TokenCounter): PreviewText {
  return previewTexts({
    countTokens,
    readHint: (address, by) => shellReadHint(`ctx read ${address}`, by),
  });
}
