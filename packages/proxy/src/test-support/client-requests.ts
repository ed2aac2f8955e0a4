import type { Message } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { cachePriceOf, windowPolicy } from '@ctx/truncation';
import {
  type Conversation,
  type ConversationOptions,
  openConversation,
  type ShapedRequest,
} from '../conversations/conversation.ts';
import { anthropic } from '../dialects/anthropic/anthropic.ts';
import type { ClientMessage, Dialect, Headers } from '../dialects/dialect.ts';
import { createRequestReaders, type OpenedRequest, openRequest } from '../exchange/open-request.ts';
import { createFixedMeter, type ReadRequest, readMessages } from '../requests/read-request.ts';
import { headers } from './anthropic-conversation.ts';
import { type AnthropicMessage, bodyOf } from './scripted-agent.ts';

/** A request of a client as the proxy reads it. */
export interface ClientRead {
  readonly opened: OpenedRequest;
  readonly request: ReadRequest;
}

/** Reads the requests of one client, one after the other. */
export function clientReader(
  { countTokens }: Pick<ContextStore, 'countTokens'>,
  place: { readonly path: string; readonly headers: Headers } = { path: '/v1/messages', headers },
): (body: string) => ClientRead {
  const readers = createRequestReaders();
  const meter = createFixedMeter(countTokens);
  let known: readonly ClientMessage[] = [];
  return (body) => {
    const opened = openRequest({ ...place, body: Buffer.from(body) }, readers);
    if (opened === undefined) throw new Error('the request stands beside conversations');
    const { dialect, elements, model } = opened;
    const messages = readMessages(dialect, elements, known);
    if (messages === undefined) throw new Error('the request cannot be followed');
    known = messages;
    const answerTokens = dialect.answerTokensOf(opened.body);
    return { opened, request: { messages, ...meter(opened.body, dialect, model), answerTokens } };
  };
}

/** Reads elements of JSON as the messages of a request. */
export function messagesIn(
  dialect: Dialect,
  elements: readonly string[],
): readonly ClientMessage[] {
  const messages = readMessages(dialect, elements, []);
  if (messages === undefined) throw new Error('no messages');
  return messages;
}

export const saidIn = (messages: readonly ClientMessage[]): readonly Message[] =>
  messages.map(({ message }) => message);

/** The elements that go out for a request. */
export function sentFor(
  { elements }: Pick<ShapedRequest, 'elements'>,
  { messages }: Pick<ReadRequest, 'messages'>,
): readonly string[] {
  return elements ?? messages.flatMap(({ raw }) => raw);
}

/** Small numbers, so that short conversations reach every rule. */
export const smallNumbers = windowPolicy('default', {
  ...{ reserveTokens: 200, tailTokens: 600, otherTailTokens: 400, editTailTokens: 200 },
  ...{ coldTailTokens: 100, partTailTokens: 1500, partFromTokens: 120, freeFloorTokens: 20 },
  ...{ economicFloorTokens: 100, inputStubTokens: 50, holdTokens: 800, offloadFromTokens: 300 },
  ...{ previewTokens: 60, exceptions: 'stay' },
});

/** A conversation that a test asks. */
export interface TestConversation {
  readonly conversation: Conversation;
  readonly read: (messages: readonly AnthropicMessage[]) => ReadRequest;
  /** Shapes a request. */
  readonly ask: (
    messages: readonly AnthropicMessage[],
    now?: number,
  ) => Promise<ShapedRequest & { readonly sent: readonly string[] }>;
}

export async function openTestConversation(
  store: ContextStore,
  more: Partial<ConversationOptions> = {},
): Promise<TestConversation> {
  const conversation = await openConversation({
    ...{ store, sessionId: 'p1', dialect: anthropic, policy: smallNumbers },
    ...{ price: cachePriceOf('anthropic-5m'), windowTokens: 200_000, sentWhole: 0, hasTool: false },
    ...more,
  });
  const reader = clientReader(store);
  const read = (messages: readonly AnthropicMessage[]): ReadRequest =>
    reader(bodyOf(messages)).request;
  return {
    conversation,
    read,
    ask: async (messages, now = store.clock()) => {
      const request = read(messages);
      const shaped = await conversation.shape(request, now);
      return { ...shaped, sent: sentFor(shaped, request) };
    },
  };
}
