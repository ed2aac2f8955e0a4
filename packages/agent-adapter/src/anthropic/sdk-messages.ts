import { addedUserText, type ContentBlock, type Message, type OpaqueBlock } from '@ctx/core';
import { fromAnthropicMessage, toAnthropicMessage } from '@ctx/transcripts/anthropic';
import { unmarkedMessage } from './cache-marks.ts';
import type { MessageShape } from './host-types.ts';
import { type ReadHistory, readHistory } from '../read-history.ts';
import { readOnce } from '../read-once.ts';
import { isList, isRecord } from './plain-values.ts';

/** Whose message a canonical one is: kept across requests, so that what did not change goes out as the host's own object. */
export type MessageOrigins<Sdk extends MessageShape> = WeakMap<Message, Sdk>;

/** A request's messages, taken apart. */
export interface SdkHistory<Sdk extends MessageShape> {
  /** What the provider's own compaction hid from the model. It is not looked at. */
  readonly hidden: readonly Sdk[];
  /** The newest block of that compaction, exactly as it came; what follows stands behind it. */
  readonly compaction?: { readonly message: Sdk; readonly block: OpaqueBlock };
  /** What the model sees, without that block. */
  readonly messages: readonly Message[];
}

function isCompaction(block: unknown): boolean {
  return isRecord(block) && block['type'] === 'compaction' && typeof block['content'] === 'string';
}

/** Place of the newest block of the provider's compaction. */
function compactionIn(
  given: readonly MessageShape[],
): { message: number; block: number } | undefined {
  for (let message = given.length - 1; message >= 0; message -= 1) {
    const content = given[message]?.content;
    const block = isList(content) ? content.findLastIndex(isCompaction) : -1;
    if (block >= 0) return { message, block };
  }
  return undefined;
}

const readMessage = readOnce((given: MessageShape) => fromAnthropicMessage(given));

/** What is remembered of a conversation from request to request. */
export interface KnownMessages {
  readonly origins: MessageOrigins<MessageShape>;
  readonly read: ReadHistory<MessageShape, Message | undefined>;
  /** What was written for messages that are not the host's. */
  readonly writtenBefore: WeakMap<Message, MessageShape>;
}

export function knownMessages(): KnownMessages {
  return { origins: new WeakMap(), read: readHistory(readMessage), writtenBefore: new WeakMap() };
}

function readAll(given: readonly MessageShape[], { origins, read }: KnownMessages): Message[] {
  // Where the marks stand changes from request to request, and says nothing.
  const plain = given.map(unmarkedMessage);
  return read(plain).flatMap((message, place) => {
    const origin = plain[place];
    if (message === undefined || origin === undefined) return [];
    origins.set(message, origin);
    return [message];
  });
}

/** What stands behind the block in its own message. */
function behind<Sdk extends MessageShape>(message: Sdk, block: number): Sdk[] {
  const rest = isList(message.content) ? message.content.slice(block + 1) : [];
  return rest.length === 0 ? [] : [{ ...message, content: rest }];
}

/** Reads the messages of a request. Contract: nothing given is changed. Cost: what is new, and a look at the blocks of the rest. */
export function readSdkMessages<Sdk extends MessageShape>(
  given: readonly Sdk[],
  known: KnownMessages,
): SdkHistory<Sdk> {
  const place = compactionIn(given);
  const message = place && given[place.message];
  if (place === undefined || message === undefined) {
    return { hidden: [], messages: readAll(given, known) };
  }
  const data: unknown = isList(message.content) ? message.content[place.block] : undefined;
  const visible = [...behind(message, place.block), ...given.slice(place.message + 1)];
  return {
    hidden: given.slice(0, place.message),
    compaction: { message, block: { type: 'opaque', format: 'anthropic:compaction', data } },
    messages: readAll(visible, known),
  };
}

/** A request as the SDK takes it, beside its canonical form. */
export interface WrittenMessages<Sdk extends MessageShape> {
  readonly messages: readonly Sdk[];
  /** What stands in `messages` behind the hidden ones. */
  readonly canonical: readonly Message[];
}

function isAddedUser({ role, content }: Message): boolean {
  const [only, ...others] = content;
  return (
    role === 'user' && others.length === 0 && only?.type === 'text' && only.text === addedUserText
  );
}

/** A host may have put more into its message since. */
function stillHolds({ content }: MessageShape, message: Message): boolean {
  return !isList(content) || content.length === message.content.length;
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

/**
 * Writes the messages of a request. Contract: a message that did not change is the host's own object, without marks for the cache;
 * the provider's compaction stands where it stood, exactly as it came. Cost: the messages that changed, and a look at each.
 */
export function writeSdkMessages<Sdk extends MessageShape>(
  prepared: readonly Message[],
  { hidden, compaction }: SdkHistory<Sdk>,
  { origins, writtenBefore }: KnownMessages,
): WrittenMessages<Sdk> {
  const canonical = compaction ? behindCompaction(prepared, compaction.block) : prepared;
  const messages = canonical.map((message): Sdk => {
    const origin = origins.get(message);
    // The conversation is of one host, so its messages are of one kind.
    if (origin !== undefined && stillHolds(origin, message)) return origin as Sdk;
    // The codec writes what it reads: messages of the SDK.
    const written =
      writtenBefore.get(message) ?? (toAnthropicMessage(message) as unknown as MessageShape);
    writtenBefore.set(message, written);
    return written as Sdk;
  });
  return { messages: [...hidden, ...messages], canonical };
}
