import type { Message } from '@ctx/core';
import { approximateTokens } from '@ctx/tokens/approximate';
import { messageFormats } from '@ctx/transcripts';
import {
  AIMessage,
  type BaseMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  type StoredMessage,
  type TrimMessagesFields,
  trimMessages,
} from '@langchain/core/messages';
import type { Peer } from './peer.ts';

/** Messages as LangChain's own reader makes them of what ctx writes. */
export function langChainMessages(messages: readonly Message[]): BaseMessage[] {
  // What ctx writes is what LangChain stores; its reader checks that.
  return mapStoredMessagesToChatMessages(
    messageFormats.langchain.write(messages) as unknown as StoredMessage[],
  );
}

/** Canonical messages of LangChain's own. */
export function canonicalOf(messages: readonly BaseMessage[]): Message[] {
  const read = messageFormats.langchain.read(mapChatMessagesToStoredMessages([...messages]));
  return joinResults(read);
}

/** LangChain has a message a result: those of one round are one canonical message. */
function joinResults(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    const areResults = [last, message].every(
      (each) => each?.content.every(({ type }) => type === 'tool_result') === true,
    );
    if (last !== undefined && areResults) {
      joined[joined.length - 1] = { ...last, content: [...last.content, ...message.content] };
    } else joined.push(message);
  }
  return joined;
}

/** About what {@link tokensOf} counts for the canonical message. */
function tokensOfOne(message: BaseMessage): number {
  const calls = AIMessage.isInstance(message) && message.tool_calls ? message.tool_calls : [];
  const texts = calls.map(({ name, args }) => name + JSON.stringify(args));
  return 4 + approximateTokens([message.text, ...texts].join('\n'));
}

function trimPeer(name: string, options: Partial<TrimMessagesFields>): Peer {
  return {
    name,
    format: 'langchain',
    fit: async (messages, maxTokens) => {
      const trimmed = await trimMessages(langChainMessages(messages), {
        maxTokens,
        strategy: 'last',
        tokenCounter: (list) => list.reduce((sum, message) => sum + tokensOfOne(message), 0),
        ...options,
      });
      return trimmed.length === 0 ? undefined : canonicalOf(trimmed);
    },
  };
}

/** `trimMessages` with nothing but a limit, and as its documentation advises for chat models. */
export const langChainPeers: readonly Peer[] = [
  trimPeer('LangChain trimMessages', {}),
  trimPeer('LangChain trimMessages, startOn human', {
    startOn: 'human',
    endOn: ['human', 'tool'],
    includeSystem: true,
  }),
];
