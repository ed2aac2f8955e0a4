import type { Message } from '@ctx/core';
import { fromAiSdkModel } from './formats/ai-sdk/ai-sdk-model.ts';
import { toAiSdkModel } from './formats/ai-sdk/ai-sdk-model-write.ts';
import { fromAiSdkUi, toAiSdkUi } from './formats/ai-sdk/ai-sdk-ui-message.ts';
import { fromAnthropicMessage, toAnthropicMessage } from './formats/anthropic/anthropic-message.ts';
import { fromLangChain } from './formats/langchain/langchain.ts';
import { toLangChain } from './formats/langchain/langchain-write.ts';
import { fromMastra, toMastra } from './formats/mastra/mastra-message.ts';
import { fromOpenAiChat } from './formats/openai-chat/openai-chat-message.ts';
import { toOpenAiChat } from './formats/openai-chat/openai-chat-write.ts';
import { fromOpenAiResponses } from './formats/openai-responses/openai-responses.ts';
import { toOpenAiResponses } from './formats/openai-responses/openai-responses-write.ts';
import type { NoteLoss } from './formats/shared/note-loss.ts';
import type { JsonRecord } from './values.ts';

/** How messages are written. */
export interface WriteMessagesOptions {
  /** Is called with each thing that the format cannot hold, and that is therefore left out. */
  readonly note?: NoteLoss;
  /** Names of tools by call id, for results whose calls are not among the messages. Only `ai-sdk-model` asks. */
  readonly calls?: ReadonlyMap<string, string>;
}

/** Reads and writes the messages of one SDK or API. Messages that were read and not changed are written equal to what they were. */
export interface MessageFormat {
  /** Leaves out what is no message of the format. */
  readonly read: (records: readonly unknown[]) => Message[];
  readonly write: (messages: readonly Message[], options?: WriteMessagesOptions) => JsonRecord[];
}

function eachAlone(read: (record: unknown) => readonly Message[]): MessageFormat['read'] {
  return (records) => records.flatMap((record) => read(record));
}

/** The message formats by name, which is also the name of their transcript format. */
export const messageFormats = {
  'ai-sdk-model': {
    read: eachAlone(fromAiSdkModel),
    write: (messages, { note, calls } = {}) => toAiSdkModel(messages, note, calls),
  },
  'ai-sdk-ui': {
    read: eachAlone(fromAiSdkUi),
    write: (messages, { note } = {}) => toAiSdkUi(messages, note),
  },
  anthropic: {
    read: (records) => records.flatMap((record) => fromAnthropicMessage(record) ?? []),
    write: (messages, { note } = {}) =>
      messages.map((message) => toAnthropicMessage(message, note)),
  },
  langchain: {
    read: eachAlone(fromLangChain),
    write: (messages, { note } = {}) => toLangChain(messages, note),
  },
  mastra: {
    read: eachAlone(fromMastra),
    write: (messages, { note } = {}) => toMastra(messages, note),
  },
  'openai-chat': {
    read: fromOpenAiChat,
    write: (messages, { note } = {}) => toOpenAiChat(messages, note),
  },
  'openai-responses': {
    read: fromOpenAiResponses,
    write: (messages, { note } = {}) => toOpenAiResponses(messages, note),
  },
} as const satisfies Readonly<Record<string, MessageFormat>>;
