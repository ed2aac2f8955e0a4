import type { Message } from '@ctx/core';
import { fromAiSdkModel, toAiSdkModel } from '@ctx/transcripts/ai-sdk-model';
import type { ContextManager } from '../context-manager/context-manager.ts';
import { type ReadHistory, readHistory } from '../read-history.ts';
import { readOnce } from '../read-once.ts';
import type { SdkMessage } from './host-types.ts';

/** A prompt, taken apart. */
export interface SdkHistory<Sdk extends SdkMessage> {
  /** The system messages in front. They are the host's, and stay as they are. */
  readonly system: readonly Sdk[];
  readonly messages: readonly Message[];
  /** The host's own message for each canonical one. */
  readonly origins: ReadonlyMap<Message, Sdk>;
}

const readMessage = readOnce((given: SdkMessage): Message | undefined => fromAiSdkModel(given)[0]);

type Reader = ReadHistory<SdkMessage, Message | undefined>;

const readers = new WeakMap<ContextManager, Reader>();

function readerOf(manager: ContextManager): Reader {
  const known = readers.get(manager) ?? readHistory(readMessage);
  readers.set(manager, known);
  return known;
}

/**
 * Reads a prompt or ModelMessages. What is no message of the SDK is left out. Cost: what is new; of the rest, which the SDK may have made
 * anew, a look at the parts.
 */
export function readSdkMessages<Sdk extends SdkMessage>(
  manager: ContextManager,
  given: readonly Sdk[],
): SdkHistory<Sdk> {
  const firstTold = given.findIndex(({ role }) => role !== 'system');
  const from = firstTold < 0 ? given.length : firstTold;
  const told = given.slice(from);
  const origins = new Map<Message, Sdk>();
  const read = readerOf(manager)(told);
  const messages = told.flatMap((each, place) => {
    const message = read[place];
    if (message === undefined) return [];
    origins.set(message, each);
    return [message];
  });
  return { system: given.slice(0, from), messages, origins };
}

/** What was written for messages that are not the host's. */
const writtenBefore = new WeakMap<Message, readonly SdkMessage[]>();

function callNames(messages: readonly Message[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const block of messages.flatMap(({ content }) => content)) {
    if (block.type === 'tool_use') names.set(block.id, block.name);
  }
  return names;
}

/**
 * Writes a prompt. Contract: a message that did not change is the host's own object; the others have the host's shape.
 * Cost: the changed messages, and one look at each block.
 */
export function writeSdkMessages<Sdk extends SdkMessage>(
  messages: readonly Message[],
  { system, origins }: SdkHistory<Sdk>,
): Sdk[] {
  let names: Map<string, string> | undefined;
  const written = messages.flatMap((message): Sdk[] => {
    const origin = origins.get(message);
    if (origin !== undefined) return [origin];
    const before = writtenBefore.get(message);
    if (before !== undefined) return before as Sdk[];
    // The codec writes what it reads: messages of the SDK.
    const made = toAiSdkModel(
      [message],
      undefined,
      (names ??= callNames(messages)),
    ) as unknown as Sdk[];
    writtenBefore.set(message, made);
    return made;
  });
  return [...system, ...written];
}
