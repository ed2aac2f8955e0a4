import type { ContentBlock, Message } from '@ctx/core';
import { outputText } from '@ctx/core/encoding';

/** A conversation as plain text, one run of lines a block: what the baselines choose from. */
export function textOfHistory(messages: readonly Message[]): string {
  return blockTexts(messages).join('\n');
}

/** The text of each block. */
export function blockTexts(messages: readonly Message[]): string[] {
  return messages.flatMap(({ content }) => content.map((block) => textOfBlock(block)));
}

/** Everything the agent itself wrote: its words and the arguments of its calls. */
export function writtenTexts(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, content }) =>
    role !== 'assistant' ? [] : content.map((block) => textOfBlock(block)),
  );
}

export function textOfBlock(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'tool_use') return inputText(block.input);
  if (block.type !== 'tool_result') return '';
  return block.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** The values of a call's arguments with their line breaks; the names of arguments are the tool's, not the agent's. */
export function inputText(input: unknown): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return outputText(input);
  return Object.values(input)
    .map((value) => outputText(value))
    .join('\n');
}
