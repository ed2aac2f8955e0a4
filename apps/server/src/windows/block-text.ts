import type { ContentBlock } from '@ctx/core';
import { isRecord, outputText } from '@ctx/core/encoding';

/** What a block is that is no text, call or result: `thinking`, `image` … */
export function blockType(block: ContentBlock): string | undefined {
  if (block.type !== 'opaque' || !isRecord(block.data)) return undefined;
  const { type } = block.data;
  return typeof type === 'string' ? type : undefined;
}

/** The text of a thinking block; `undefined` for others, and where the provider keeps the text. */
function thinkingText({ data }: Extract<ContentBlock, { type: 'opaque' }>): string | undefined {
  const text = isRecord(data) ? data['thinking'] : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** Returns the text of a block as people read it. */
export function blockText(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'tool_use') return `${block.name} ${outputText(block.input)}`;
  if (block.type === 'opaque') return thinkingText(block) ?? outputText(block.data);
  return block.content.map(blockText).join('\n');
}

/** Returns the beginning of a text, with an ellipsis where more follows. */
export function clippedText(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters)}…` : text;
}
