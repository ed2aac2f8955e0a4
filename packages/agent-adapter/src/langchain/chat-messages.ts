import type { ContentBlock, Message } from '@ctx/core';
import { fromLangChain, toLangChain } from '@ctx/transcripts/langchain';
import type { MessageShape, StoredMessageShape } from './host-types.ts';

/** A history of LangChain, taken apart. */
export interface ChatHistory {
  /** The system messages in front. They are the host's, and stay as they are. */
  readonly system: readonly MessageShape[];
  readonly messages: readonly Message[];
  /** The host's own messages for each canonical one: several where they are results of one round. */
  readonly origins: ReadonlyMap<Message, readonly MessageShape[]>;
}

/** Reads and writes the messages of one host. What it read once it knows again by the object. */
export interface ChatMessages {
  /** Cost: what is new. What is no message for a model is left out. */
  read(given: readonly MessageShape[]): ChatHistory;
  /** Contract: a message that did not change is the host's own object. Cost: the changed messages. */
  write(messages: readonly Message[], history: ChatHistory): MessageShape[];
}

interface Known {
  readonly content: unknown;
  readonly read: readonly Message[];
}

function isResult({ type }: ContentBlock): boolean {
  return type === 'tool_result';
}

function areResults({ role, content }: Message): boolean {
  return role === 'user' && content.length > 0 && content.every(isResult);
}

/** LangChain has a message for each result; those of one round are one message for us. */
function joinResults(
  read: readonly (readonly [Message, MessageShape])[],
): Map<Message, MessageShape[]> {
  const origins = new Map<Message, MessageShape[]>();
  let last: Message | undefined;
  for (const [message, origin] of read) {
    if (last !== undefined && areResults(last) && areResults(message)) {
      const own = origins.get(last) ?? [];
      origins.delete(last);
      last = { ...last, content: [...last.content, ...message.content] };
      origins.set(last, [...own, origin]);
    } else {
      last = message;
      origins.set(last, [origin]);
    }
  }
  return origins;
}

/** The host's own message of each block that is a message of its own. */
function originsOfBlocks(origins: ChatHistory['origins']): Map<ContentBlock, MessageShape> {
  const found = new Map<ContentBlock, MessageShape>();
  for (const [{ content }, own] of origins) {
    if (own.length !== content.length || !content.every(isResult)) continue;
    for (const [index, block] of content.entries()) {
      const origin = own[index];
      if (origin !== undefined) found.set(block, origin);
    }
  }
  return found;
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

/** Makes the codec. `make` turns stored messages into the host's. */
export function chatMessages(
  make: (stored: readonly StoredMessageShape[]) => readonly MessageShape[],
): ChatMessages {
  const known = new WeakMap<MessageShape, Known>();
  const readOne = (given: MessageShape): readonly Message[] => {
    const before = known.get(given);
    // Others may put new content into a message that they hold.
    if (before !== undefined && before.content === given.content) return before.read;
    const read = fromLangChain(given.toDict());
    known.set(given, { content: given.content, read });
    return read;
  };
  const writeOne = (message: Message): readonly MessageShape[] => {
    const stored = toLangChain([message]);
    // The codec writes what LangChain stores: a type and its data.
    const made = make(stored as unknown as StoredMessageShape[]);
    const [only] = made;
    if (only !== undefined && made.length === 1)
      known.set(only, { content: only.content, read: [message] });
    return made;
  };
  return {
    read: (given) => {
      const firstTold = given.findIndex((message) => message.getType() !== 'system');
      const from = firstTold < 0 ? given.length : firstTold;
      const read = given
        .slice(from)
        .flatMap((each) => readOne(each).map((message) => [message, each] as const));
      const origins = joinResults(read);
      return { system: given.slice(0, from), messages: [...origins.keys()], origins };
    },
    write: (messages, { system, origins }) => {
      const blocks = originsOfBlocks(origins);
      const written = messages.flatMap((message): readonly MessageShape[] => {
        const own = origins.get(message);
        if (own !== undefined) return own;
        return partsOf(message).flatMap((part) => {
          const [block, ...others] = part.content;
          const origin = block === undefined || others.length > 0 ? undefined : blocks.get(block);
          return origin === undefined ? writeOne(part) : [origin];
        });
      });
      return [...system, ...written];
    },
  };
}
