import type { ContentBlock, Message } from '@ctx/core';
import { isThinking } from './range/cut-points.ts';

/** Every text that ctx puts in place of content begins so. */
export const noticeStart = '[ctx:';

/** Says that messages left the conversation. */
export const truncationNotice =
  '[ctx: some earlier messages were removed here to keep the conversation inside the context window]';

/** Stands for a copy of a file that a newer one in the conversation covers. */
export const duplicateReadNotice =
  '[ctx: this copy of the file was removed; a newer one stands further on]';

/**
 * Puts a notice into the first assistant message, whatever its shape: before everything but the thinking that providers want
 * first. Without an assistant message it goes to the end of the first user message.
 * Pure; at most one message is a new object. Looks at the front only.
 */
export function withNotice(messages: readonly Message[], notice: string): readonly Message[] {
  const assistant = messages.findIndex((message) => message.role === 'assistant');
  const index = assistant >= 0 ? assistant : messages.findIndex(({ role }) => role === 'user');
  const message = messages[index];
  if (message === undefined) return messages;
  const at = assistant >= 0 ? thinkingEnd(message) : message.content.length;
  const block: ContentBlock = { type: 'text', text: notice };
  return messages.with(index, { ...message, content: message.content.toSpliced(at, 0, block) });
}

function thinkingEnd(message: Message): number {
  const end = message.content.findIndex((block) => !isThinking(block));
  return end < 0 ? message.content.length : end;
}
