import type { Message } from '@ctx/core';
import { fromAiSdkModel, toAiSdkModel } from '@ctx/transcripts/ai-sdk-model';
import type { SdkMessage } from './host-types.ts';

/** A prompt, taken apart. */
export interface SdkHistory<Sdk extends SdkMessage> {
  /** The system messages in front. They are the host's, and stay as they are. */
  readonly system: readonly Sdk[];
  readonly messages: readonly Message[];
  /** The host's own message for each canonical one. */
  readonly origins: ReadonlyMap<Message, Sdk>;
}

/** Reads a prompt or ModelMessages. What is no message of the SDK is left out. Cost: the parts of the messages. */
export function readSdkMessages<Sdk extends SdkMessage>(given: readonly Sdk[]): SdkHistory<Sdk> {
  const firstTold = given.findIndex(({ role }) => role !== 'system');
  const from = firstTold < 0 ? given.length : firstTold;
  const origins = new Map<Message, Sdk>();
  for (const each of given.slice(from)) {
    const [message] = fromAiSdkModel(each);
    if (message !== undefined) origins.set(message, each);
  }
  return { system: given.slice(0, from), messages: [...origins.keys()], origins };
}

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
  const names = callNames(messages);
  const written = messages.flatMap((message): Sdk[] => {
    const origin = origins.get(message);
    if (origin !== undefined) return [origin];
    // The codec writes what it reads: messages of the SDK.
    return toAiSdkModel([message], undefined, names) as unknown as Sdk[];
  });
  return [...system, ...written];
}
