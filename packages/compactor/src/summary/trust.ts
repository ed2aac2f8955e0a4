import type { Message } from '@ctx/core';

/** How far the origin of a text is to be believed: developer and user, the assistant, everything else. */
export type Trust = 'trusted' | 'derived' | 'untrusted';

const order: readonly Trust[] = ['trusted', 'derived', 'untrusted'];

/** The least of several trusts; `trusted` where there is none. */
export function leastTrust(trusts: readonly Trust[]): Trust {
  const worst = Math.max(0, ...trusts.map((trust) => order.indexOf(trust)));
  return order[worst] ?? 'untrusted';
}

/** What a summary of these messages is to be believed: a single tool result makes it untrusted. */
export function trustOfMessages(messages: readonly Message[]): Trust {
  return leastTrust(messages.map((message) => trustOfMessage(message)));
}

function trustOfMessage({ role, content }: Message): Trust {
  if (content.some((block) => block.type === 'tool_result')) return 'untrusted';
  return role === 'assistant' ? 'derived' : 'trusted';
}
