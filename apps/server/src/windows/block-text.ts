import type { ContentBlock } from '@ctx/core';
import { outputText } from '@ctx/core/encoding';

/** Returns the text of a block as people read it. */
export function blockText(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'tool_use') return `${block.name} ${outputText(block.input)}`;
  if (block.type === 'opaque') return outputText(block.data);
  return block.content.map(blockText).join('\n');
}

/** Returns the beginning of a text, with an ellipsis where more follows. */
export function clippedText(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters)}…` : text;
}
