import type { TokenCounter } from '@ctx/core';
import { type PreviewText, previewTexts } from '@ctx/truncation';

/** The previews of results, which say how a shell reads the rest. */
export function previewsOf(countTokens: TokenCounter): PreviewText {
  return previewTexts({
    countTokens,
    readHint: (address) => `read more with: ctx read ${address} --lines 1-200, or --grep PATTERN`,
  });
}
