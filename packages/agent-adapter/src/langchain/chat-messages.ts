import type { ContentBlock, Message } from '@ctx/core';
import { messageFormats } from '@ctx/transcripts';
import {
  type GivenHistory,
  type HostMessages,
  hostMessages,
} from '../host-messages/host-messages.ts';
import type { MessageShape, StoredMessageShape } from './host-types.ts';

/** A history of LangChain, taken apart. */
export interface ChatHistory {
  /** The system messages in front. They are the host's, and stay as they are. */
  readonly system: readonly MessageShape[];
  readonly told: GivenHistory<MessageShape>;
}

/** Reads and writes the messages of one conversation. */
export interface ChatMessages {
  /** Contract and cost: as `HostMessages.read`; results of one round are one message. */
  read(given: readonly MessageShape[]): ChatHistory;
  /** Contract and cost: as `HostMessages.write`. */
  write(messages: readonly Message[], history: ChatHistory): MessageShape[];
}

function isResult({ type }: ContentBlock): boolean {
  return type === 'tool_result';
}

function areResults({ role, content }: Message): boolean {
  return role === 'user' && content.length > 0 && content.every(isResult);
}

/** The parts of a message that are messages in LangChain: its results one by one, then the rest. */
function partsOf(message: Message): Message[] {
  const results = message.content.filter(isResult);
  if (results.length === 0) return [message];
  const { extra: _extra, ...plain } = message;
  const alone = results.map((block) => ({ ...plain, content: [block] }));
  const rest = message.content.filter((block) => !isResult(block));
  return rest.length === 0 ? alone : [...alone, { ...message, content: rest }];
}

const { langchain } = messageFormats;

function codecOf(
  make: (stored: readonly StoredMessageShape[]) => readonly MessageShape[],
): HostMessages<MessageShape> {
  /** The host's own message of each result: one result of a round may leave, and the others stay. */
  const ownOfResults = new WeakMap<ContentBlock, MessageShape>();
  const writePart = (part: Message): readonly MessageShape[] => {
    const [block] = part.content;
    const own = block === undefined ? undefined : ownOfResults.get(block);
    // The codec writes what LangChain stores: a type and its data.
    return own ? [own] : make(langchain.write([part]) as unknown as StoredMessageShape[]);
  };
  return hostMessages({
    read: (given) => {
      const [message] = langchain.read([given.toDict()]);
      const [block, ...others] = message?.content ?? [];
      if (block && others.length === 0 && isResult(block)) ownOfResults.set(block, given);
      return message;
    },
    // Others may put new content into a message that they hold.
    changing: ({ content }) => content,
    mayJoin: (last, next) => areResults(last) && areResults(next),
    write: (message) => partsOf(message).flatMap(writePart),
  });
}

/** Makes the codec of a conversation. `make` turns stored messages into the host's. */
export function chatMessages(
  make: (stored: readonly StoredMessageShape[]) => readonly MessageShape[],
): ChatMessages {
  const codec = codecOf(make);
  return {
    read: (given) => {
      const firstTold = given.findIndex((message) => message.getType() !== 'system');
      const from = firstTold < 0 ? given.length : firstTold;
      return { system: given.slice(0, from), told: codec.read(given, from) };
    },
    write: (messages, { system, told }) => [...system, ...codec.write(messages, told).sent],
  };
}
