import { addedUserText, type ContentBlock, type Message } from '@ctx/core';
import { messageFormats } from '@ctx/transcripts';
import { type HostCodec, hostMessages } from '../host-messages/host-messages.ts';
import { unmarkedMessage } from './cache-marks.ts';
import type { MessageShape } from './host-types.ts';
import { isList, isRecord } from './plain-values.ts';

/** A request's messages, taken apart. */
export interface SdkHistory {
  /** What the provider's own compaction hid from the model. */
  readonly hidden: readonly MessageShape[];
  /** The newest block of that compaction, unchanged; later messages follow it. */
  readonly compaction?: Extract<ContentBlock, { readonly type: 'opaque' }>;
  /** What the model sees, without that block. */
  readonly messages: readonly Message[];
  readonly originsOf: (message: Message) => readonly MessageShape[] | undefined;
}

/** A request as the SDK takes it, beside its canonical form. */
export interface WrittenMessages {
  readonly messages: readonly MessageShape[];
  /** What stands in `messages` after the hidden ones. */
  readonly canonical: readonly Message[];
  /** The contents on which the host put marks, by their places in `messages`. */
  readonly marked: ReadonlyMap<number, unknown>;
}

/** Reads and writes the messages of one conversation. */
export interface SdkMessages {
  /** Contract and cost: as `HostMessages.read`. */
  read(given: readonly MessageShape[]): SdkHistory;
  /**
   * As `HostMessages.write`, without marks for the cache; the provider's compaction stands where it stood, exactly as it
   * came. Goes through the messages.
   */
  write(prepared: readonly Message[], history: SdkHistory): WrittenMessages;
}

function isCompaction(block: unknown): boolean {
  return isRecord(block) && block['type'] === 'compaction' && typeof block['content'] === 'string';
}

interface CompactionPlace {
  readonly message: number;
  readonly block: number;
}

/** The newest block of the provider's compaction after the first `from` messages. */
function compactionIn(given: readonly MessageShape[], from: number): CompactionPlace | undefined {
  for (let message = given.length - 1; message >= from; message -= 1) {
    const content = given[message]?.content;
    const block = isList(content) ? content.findLastIndex(isCompaction) : -1;
    if (block >= 0) return { message, block };
  }
  return undefined;
}

/** Finds the newest compaction of a list that grows. Goes through what is not known. */
function createCompactionFinder() {
  let last: CompactionPlace | undefined;
  return (given: readonly MessageShape[], known: number): CompactionPlace | undefined => {
    const isKnown = last === undefined || last.message < known;
    last = compactionIn(given, isKnown ? known : 0) ?? (isKnown ? last : undefined);
    return last;
  };
}

/** What stands after the block in its own message. */
function behind(message: MessageShape, block: number): MessageShape[] {
  const rest = isList(message.content) ? message.content.slice(block + 1) : [];
  return rest.length === 0 ? [] : [{ ...message, content: rest }];
}

function isAddedUser({ role, content }: Message): boolean {
  const [only, ...others] = content;
  return (
    role === 'user' && others.length === 0 && only?.type === 'text' && only.text === addedUserText
  );
}

/** With the block of the provider's compaction in front, where the user is not needed to begin. */
function behindCompaction(messages: readonly Message[], block: ContentBlock): readonly Message[] {
  const [first, second] = messages;
  const isSupplied = first !== undefined && isAddedUser(first) && second?.role === 'assistant';
  const rest = isSupplied ? messages.slice(1) : messages;
  const [head, ...others] = rest;
  if (head?.role !== 'assistant') return [{ role: 'assistant', content: [block] }, ...rest];
  return [{ ...head, content: [block, ...head.content] }, ...others];
}

const { anthropic } = messageFormats;

const codec: HostCodec<MessageShape> = {
  read: (given) => anthropic.read([given])[0],
  // Where the marks stand changes from request to request, and says nothing.
  plain: unmarkedMessage,
  // The codec writes what it reads: messages of the SDK.
  write: (message) => anthropic.write([message]) as unknown as MessageShape[],
};

/** Makes the reader and writer of one conversation. */
export function sdkMessages(): SdkMessages {
  const all = hostMessages(codec);
  const rest = hostMessages(codec);
  const findCompaction = createCompactionFinder();
  return {
    read: (given) => {
      const whole = all.read(given);
      const place = findCompaction(given, whole.known);
      const message = place && given[place.message];
      if (place === undefined || message === undefined) {
        const { messages, originsOf } = whole;
        return { hidden: [], messages, originsOf };
      }
      const data: unknown = isList(message.content) ? message.content[place.block] : undefined;
      const begun = rest.read(behind(message, place.block));
      return {
        hidden: given.slice(0, place.message).map(unmarkedMessage),
        compaction: { type: 'opaque', format: 'anthropic:compaction', data },
        messages: [...begun.messages, ...whole.messagesFrom(place.message + 1)],
        originsOf: (each) => begun.originsOf(each) ?? whole.originsOf(each),
      };
    },
    write: (prepared, history) => {
      const { hidden, compaction } = history;
      const canonical = compaction ? behindCompaction(prepared, compaction) : prepared;
      const { sent, own } = all.write(canonical, history);
      const messages = hidden.concat(sent);
      const marked = new Map<number, unknown>();
      const unmark = (place: number, isHosts: boolean): void => {
        const given = messages[place];
        const plain = given && unmarkedMessage(given);
        if (plain === undefined || plain === given) return;
        messages[place] = plain;
        if (isHosts) marked.set(place, given?.content);
      };
      // The message with the provider's block is none of the host's. Nothing else that is written here has marks.
      if (compaction !== undefined) unmark(hidden.length, false);
      for (const place of own) unmark(hidden.length + place, true);
      return { messages, canonical, marked };
    },
  };
}
