import type { ContentBlock, Message } from '@ctx/core';
import { previewOf } from '@ctx/store';
import { callText } from '../reading/call-text.ts';
import { escapeMarks, quoteData } from '../summary/quote.ts';

/** How much of one result and of one call a model is shown, characters. */
const maxResult = 4000;
const maxCall = 3000;

/** Writes each message as text for a summariser; results of tools stand between marks. */
export function renderMessages(messages: readonly Message[], mark: string): string[] {
  return messages.map(({ role, content }) =>
    content
      .map((block) => renderBlock(role, block, mark))
      .filter((text) => text !== '')
      .join('\n'),
  );
}

function renderBlock(role: string, block: ContentBlock, mark: string): string {
  if (block.type === 'text') return `[${role}] ${escapeMarks(block.text)}`;
  if (block.type === 'tool_use') {
    const input = previewOf(callText(block.input), { maxCharacters: maxCall });
    return `[${role} calls ${escapeMarks(block.name)}] ${escapeMarks(input)}`;
  }
  if (block.type !== 'tool_result') return '';
  const text = block.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  const shown = previewOf(text, { maxCharacters: maxResult });
  return `[result${block.isError === true ? ', failed' : ''}]\n${quoteData(shown, mark)}`;
}

/** Joins texts into chunks that fit. A text that is larger alone is shortened in its middle. Keeps the order. */
export function textChunksOf(
  texts: readonly string[],
  maxTokens: number,
  countTokens: (text: string) => number,
): string[] {
  const chunks: string[] = [];
  let current: string[] = [];
  let room = maxTokens;
  for (const whole of texts) {
    const text = fitText(whole, maxTokens, countTokens);
    const tokens = countTokens(text) + 1;
    if (tokens > room && current.length > 0) {
      chunks.push(current.join('\n'));
      current = [];
      room = maxTokens;
    }
    current.push(text);
    room -= tokens;
  }
  return current.length === 0 ? chunks : [...chunks, current.join('\n')];
}

function fitText(text: string, maxTokens: number, countTokens: (text: string) => number): string {
  let fitted = text;
  for (let tokens = countTokens(fitted); tokens > maxTokens && fitted !== ''; ) {
    const maxCharacters = Math.floor((fitted.length * maxTokens * 0.9) / tokens);
    fitted = previewOf(fitted, { maxCharacters });
    tokens = countTokens(fitted);
  }
  return fitted;
}
