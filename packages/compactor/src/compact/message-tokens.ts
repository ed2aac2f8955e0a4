import type { ContentBlock, Message, TokenCounter } from '@ctx/core';
import { callText } from '../reading/call-text.ts';

/** What a message costs beside its texts. */
const overhead = 4;
/** What an image or another block that ctx does not read is taken for. */
const opaqueTokens = 1000;

/** The tokens of a message, near enough for a plan: its texts, names and arguments. Cost: one count a block. */
export function messageTokens({ content }: Message, countTokens: TokenCounter): number {
  return content.reduce((sum, block) => sum + blockTokens(block, countTokens), overhead);
}

function blockTokens(block: ContentBlock, countTokens: TokenCounter): number {
  if (block.type === 'text') return countTokens(block.text);
  if (block.type === 'tool_use')
    return countTokens(block.name) + countTokens(callText(block.input));
  if (block.type === 'opaque') return opaqueTokens;
  return block.content.reduce((sum, part) => sum + blockTokens(part, countTokens), 0);
}
