import type { TokenCounter } from '@ctx/core';
import { previewTexts, readBacks } from '@ctx/truncation';
import { toolHint } from '../read-back/read-tool.ts';

/** The previews of results, which say how the tool, or else a shell, reads the rest. */
export function previewsOf(
  countTokens: TokenCounter,
  hasTool: boolean,
): ReturnType<typeof previewTexts> {
  return previewTexts({
    countTokens,
    readHint: (address, by) =>
      hasTool ? toolHint(address, by) : readBacks.shellHint(`ctx read ${address}`, by),
  });
}
