import {
  type ContentBlock,
  encodeValue,
  type Message,
  outputText,
  type TokenCounter,
} from '@ctx/core';
import { previewOf } from '@ctx/store';
import { approximateTokens } from '@ctx/tokens/approximate';
import type { PreviewText } from './plan-insert.ts';

/** Tokens that role and delimiters of a message take, and the envelope of a call or result. */
const tokensPerMessage = 4;
const tokensPerToolBlock = 12;

/** An image, whatever its size. Source: about the most that providers charge for one that they have scaled down. */
const tokensPerImage = 1600;

function tokensOfBlock(block: ContentBlock, count: TokenCounter): number {
  switch (block.type) {
    case 'text':
      return count(block.text);
    case 'tool_use':
      return tokensPerToolBlock + count(`${block.name} ${outputText(block.input)}`);
    case 'tool_result':
      return block.content.reduce(
        (sum, part) => sum + tokensOfBlock(part, count),
        tokensPerToolBlock,
      );
    case 'opaque':
      return block.format.includes('image')
        ? tokensPerImage
        : count(JSON.stringify(encodeValue(block.data)));
  }
}

/**
 * Counts messages block by block, so that the sum over its blocks is never more than a message.
 * Contract: pure, if `count` is; an image counts as 1,600, whatever else ctx does not look into by its JSON text.
 */
export function messageCounter(
  count: TokenCounter = approximateTokens,
): (message: Message) => number {
  return ({ content }) =>
    content.reduce((sum, block) => sum + tokensOfBlock(block, count), tokensPerMessage);
}

/** Characters of a token in a preview, about. */
const charactersPerToken = 4;

/** Beginning and end of a large result, its size, and where the whole is. */
export const plainPreview: PreviewText = ({ text, pointer, tokens, previewTokens }) => {
  const shown = previewOf(text, { maxCharacters: previewTokens * charactersPerToken });
  const head = `[ctx: the whole result (${String(tokens)} tokens) is kept at ${pointer}; this is a preview]`;
  return `${head}\n${shown}\n[ctx: read more with ctx_read_output {"pointer":"${pointer}"}]`;
};
