import type { Message, Trust } from '@ctx/core';
import { trusts } from '@ctx/store';

/** What a summary of these messages is to be believed: a single tool result makes it untrusted. */
export function trustOfMessages(messages: readonly Message[]): Trust {
  return trusts.least(messages.map((message) => trustOfMessage(message)));
}

function trustOfMessage({ role, content }: Message): Trust {
  if (content.some((block) => block.type === 'tool_result')) return 'untrusted';
  return role === 'assistant' ? 'derived' : 'trusted';
}
