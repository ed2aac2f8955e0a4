import { type Message, repairMessages, validateMessages } from '@ctx/core';
import { copyData } from '@ctx/core/encoding';
import { messageFormats } from '@ctx/transcripts';
import type { ContextManager } from '../context-manager/context-manager.ts';
import {
  type GivenHistory,
  type HostMessages,
  hostMessages,
} from '../host-messages/host-messages.ts';
import { ofManager } from '../host-messages/of-manager.ts';
import type { SdkMessage } from './host-types.ts';
import { sentMessage } from './sent-message.ts';

/** A prompt, taken apart. */
export interface SdkHistory {
  /** The system messages in front. They are the host's, and stay as they are. */
  readonly system: readonly SdkMessage[];
  readonly told: GivenHistory<SdkMessage>;
}

/** A prompt has the parts of a message always in a list, and a system message always as text. */
function inParts(message: SdkMessage): SdkMessage {
  const { role, content } = message;
  if (typeof content !== 'string' || role === 'system') return message;
  return { ...message, content: [{ type: 'text', text: content }] };
}

const sdkFormat = messageFormats['ai-sdk-model'];

const conversation = (): HostMessages<SdkMessage> =>
  hostMessages({
    read: (given) => sdkFormat.read([copyData(given)])[0],
    copy: copyData,
    plain: sentMessage,
    isMadeAnew: true,
    // The codec writes what it reads: messages of the SDK.
    write: (message, names) =>
      (sdkFormat.write([message], { calls: names }) as unknown as readonly SdkMessage[]).map(
        inParts,
      ),
  });

const messagesOf = ofManager(conversation);

/**
 * Answers calls that have no result, which the SDK refuses before it asks a model; `undefined` where nothing has to be mended.
 * Goes through all messages.
 */
export function mendSdkMessages<Sdk extends SdkMessage>(given: readonly Sdk[]): Sdk[] | undefined {
  const codec = conversation();
  const history = codec.read(given);
  const problems = validateMessages(history.messages);
  if (problems.every(({ kind }) => kind === 'first-not-user')) return undefined;
  const { messages } = repairMessages(history.messages);
  // The conversation is of one host, so its messages are of one kind.
  return [...codec.write(messages, history).sent] as Sdk[];
}

/** Reads a prompt or ModelMessages. Costs as much as `HostMessages.read`, because the SDK creates new messages for each request. */
export function readSdkMessages(manager: ContextManager, given: readonly SdkMessage[]): SdkHistory {
  const firstTold = given.findIndex(({ role }) => role !== 'system');
  const from = firstTold < 0 ? given.length : firstTold;
  return { system: given.slice(0, from), told: messagesOf(manager).read(given, from) };
}

/** Writes a prompt. Contract and cost: as `HostMessages.write`. */
export function writeSdkMessages<Sdk extends SdkMessage>(
  manager: ContextManager,
  messages: readonly Message[],
  { system, told }: SdkHistory,
): Sdk[] {
  // The conversation is of one host, so its messages are of one kind.
  return system.concat(messagesOf(manager).write(messages, told).sent) as Sdk[];
}
