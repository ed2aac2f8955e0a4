import { CtxError, type Message } from '@ctx/core';
import { readTranscript, viewAt, writeTranscript } from '@ctx/transcripts';

/** Formats in which a conversation is handed in and comes back as one list. */
export const conversationFormats = [
  'ai-sdk-model',
  'ai-sdk-ui',
  'anthropic',
  'langchain',
  'mastra',
  'openai-chat',
  'openai-responses',
] as const;

/** Name of such a format. */
export type ConversationFormat = (typeof conversationFormats)[number];

/** A conversation as it was handed in. */
export interface Conversation {
  readonly format: ConversationFormat;
  /** System prompt that stood among the messages. */
  readonly system?: Message;
  readonly messages: readonly Message[];
}

function formatOf(name: string): ConversationFormat {
  const format = conversationFormats.find((known) => known === name);
  if (format !== undefined) return format;
  const names = conversationFormats.join(', ');
  throw new CtxError(
    'CTX_TRANSCRIPT_UNKNOWN_FORMAT',
    `messages of ${name} cannot be prepared; name one of ${names}`,
  );
}

/**
 * Reads messages in any of the formats; which one is told from their form unless it is named.
 * @throws `CTX_TRANSCRIPT_UNKNOWN_FORMAT`, `CTX_TRANSCRIPT_INVALID` where one of them is no message.
 */
export async function readConversation(
  list: readonly unknown[],
  format?: ConversationFormat,
): Promise<Conversation> {
  const bytes = Buffer.from(JSON.stringify(list), 'utf8');
  const named = format === undefined ? {} : { format };
  const { events, receipt } = await readTranscript(bytes, named);
  const bad = Object.values(receipt.bad).reduce((sum, count) => sum + count, 0);
  if (bad > 0) {
    const message = `${String(bad)} of the messages are none of the format ${receipt.format}`;
    throw new CtxError('CTX_TRANSCRIPT_INVALID', message);
  }
  const { system, entries } = viewAt(events, Number.POSITIVE_INFINITY);
  const messages = entries.map(({ message }) => message);
  return {
    format: formatOf(receipt.format),
    ...(system === undefined ? {} : { system }),
    messages,
  };
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function listIn(document: unknown): readonly unknown[] | undefined {
  if (isList(document)) return document;
  if (typeof document !== 'object' || document === null) return undefined;
  for (const name of ['messages', 'input']) {
    const list: unknown = Reflect.get(document, name);
    if (isList(list)) return list;
  }
  return undefined;
}

/** What was written, and what the format has no place for, by kind. */
export interface WrittenConversation {
  readonly messages: readonly unknown[];
  readonly losses: Readonly<Record<string, number>>;
}

/** Writes messages in a format, as the list that a request of it takes; the system prompt first where it stood among them. */
export async function writeConversation({
  format,
  system,
  messages,
}: Conversation): Promise<WrittenConversation> {
  const isAmong = system !== undefined && format !== 'anthropic';
  const all = isAmong ? [system, ...messages] : messages;
  const { bytes, receipt } = await writeTranscript(all, { format });
  const document: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
  const list = listIn(document);
  if (list === undefined) throw new TypeError(`${format} was written as no list of messages`);
  return { messages: list, losses: receipt.losses };
}
