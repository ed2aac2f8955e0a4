import type { Message, TokenCounter } from '@ctx/core';
import { countRequest, messageCounter, type ToolSchema } from '@ctx/tokens';

/** What every request of a conversation carries besides its messages. */
export interface RequestFrame {
  readonly system: string | undefined;
  readonly tools?: readonly ToolSchema[];
}

/** Counts conversations; each message object once. */
export interface ConversationMeter {
  /** Tokens of a request without its messages, by part. */
  readonly fixedTokens: Readonly<Record<string, number>>;
  readonly tokensOf: (message: Message) => number;
  readonly total: (messages: readonly Message[]) => number;
}

/** Makes a meter for a conversation with this system prompt and these tools. */
export function conversationMeter(
  { system, tools = [] }: RequestFrame,
  countTokens: TokenCounter,
): ConversationMeter {
  const known = new WeakMap<Message, number>();
  const options = { counter: countTokens };
  const count = messageCounter(options);
  const request = { messages: [], tools, ...(system === undefined ? {} : { system }) };
  const { systemTokens, toolTokens, framingTokens, totalTokens } = countRequest(request, options);
  const tokensOf = (message: Message): number => {
    const found = known.get(message) ?? count(message);
    known.set(message, found);
    return found;
  };
  return {
    fixedTokens: { 'system prompt': systemTokens, tools: toolTokens, framing: framingTokens },
    tokensOf,
    total: (messages) => messages.reduce((sum, message) => sum + tokensOf(message), totalTokens),
  };
}
