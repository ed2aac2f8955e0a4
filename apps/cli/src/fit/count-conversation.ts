import type { Message, TokenCounter } from '@ctx/core';
import { countMessage, countRequest } from '@ctx/tokens';

/** Counts conversations; each message object once. */
export interface ConversationMeter {
  /** Tokens of a request without its messages: system prompt and what is added once. */
  readonly fixedTokens: number;
  readonly tokensOf: (message: Message) => number;
  readonly total: (messages: readonly Message[]) => number;
}

/** Makes a meter for a conversation with this system prompt. */
export function conversationMeter(
  system: string | undefined,
  countTokens: TokenCounter,
): ConversationMeter {
  const known = new WeakMap<Message, number>();
  const options = { counter: countTokens };
  const request = { messages: [], ...(system === undefined ? {} : { system }) };
  const fixedTokens = countRequest(request, options).totalTokens;
  const tokensOf = (message: Message): number => {
    const found = known.get(message) ?? countMessage(message, options);
    known.set(message, found);
    return found;
  };
  return {
    fixedTokens,
    tokensOf,
    total: (messages) => messages.reduce((sum, message) => sum + tokensOf(message), fixedTokens),
  };
}
