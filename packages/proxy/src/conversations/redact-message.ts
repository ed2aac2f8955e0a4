import type { ContentBlock, Message } from '@ctx/core';
import type { ContextStore } from '@ctx/store';

/** The message without its secrets, as it may be stored; blocks without any are the same objects. */
export function redactMessage(redactor: ContextStore['redactor'], message: Message): Message {
  let found = 0;
  const content = message.content.map((block): ContentBlock => {
    const { value, receipt } = redactor.redact(block);
    if (receipt.mode !== 'on' || receipt.total === 0) return block;
    found += receipt.total;
    return value;
  });
  return found === 0 ? message : { ...message, content };
}
