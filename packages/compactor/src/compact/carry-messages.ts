import type { Message, TokenCounter } from '@ctx/core';
import { speech } from '@ctx/store';
import { carryUserTexts } from '../ledger/carry-user-texts.ts';
import type { CarriedText } from '../ledger/ledger.ts';
import { summaryRecordOf } from './summary-message.ts';

/** The messages of the user that are carried on, and the same as texts. */
export interface CarriedMessages {
  readonly messages: readonly Message[];
  readonly texts: readonly CarriedText[];
}

/**
 * Carries on what the user said in messages that leave, in their order. A message that is carried whole stays the same object, its
 * images included; beside results only its words are carried.
 */
export function carryMessages(
  leaving: readonly Message[],
  maxTokens: number,
  countTokens: TokenCounter,
): CarriedMessages {
  const said = leaving.flatMap((message) => {
    const text = message.role === 'user' ? textIn(message) : '';
    return text === '' || summaryRecordOf(message) !== undefined ? [] : [{ message, text }];
  });
  const carried = carryUserTexts(said, maxTokens, countTokens);
  return {
    messages: carried.map(({ entry, text, isShortened }) =>
      isShortened || hasResults(entry.message) ? userMessage(text) : entry.message,
    ),
    texts: carried.map(({ text, isShortened }) => ({ text, isShortened })),
  };
}

function textIn({ content }: Message): string {
  return speech.spokenText(
    content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
  );
}

function hasResults({ content }: Message): boolean {
  return content.some(({ type }) => type === 'tool_result');
}

function userMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}
