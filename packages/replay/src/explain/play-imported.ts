import type { ContextStore } from '@ctx/store';
import type { TokenCounter } from '@ctx/core';
import { importedEvents, type StoredEvent, type TranscriptEvent } from '@ctx/transcripts';
import { sessionLog, type WindowMode } from '@ctx/truncation';
import { measureContext } from '../context/measure-context.ts';
import { type Conversation, conversationOf, pointersOf } from './conversation.ts';
import { playConversation } from './play-conversation.ts';

/** The window of a session that came from a transcript: none was kept, so it is the one that ctx would have kept. */
export interface ImportedWindow {
  /** Holds the log of that window under the session's id, in memory. */
  readonly store: ContextStore;
  /** Messages of the record that its agent's model no longer saw: they are not in the window. */
  readonly messagesAside: number;
}

/** A conversation, when it began, and a counter that knows the results which the store counted. */
interface ImportedConversation extends Conversation {
  readonly startedAt?: number;
  readonly countTokens: TokenCounter;
}

/** Reads the conversation of an imported session; `undefined` if the session was not imported. */
export async function importedConversation(
  store: ContextStore,
  sessionId: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<ImportedConversation | undefined> {
  const read: { readonly event: TranscriptEvent; readonly stored: StoredEvent }[] = [];
  const counted = new Map<string, number>();
  for await (const { counts, ...one } of importedEvents(store, sessionId, options)) {
    read.push(one);
    for (const [text, tokens] of counts) counted.set(text, tokens);
  }
  if (read.length === 0) return undefined;
  const pointers = pointersOf(read.map(({ stored }) => stored));
  const events = read.map(({ event }) => event);
  const startedAt = events.find(({ at }) => at !== undefined)?.at;
  const began = startedAt === undefined ? {} : { startedAt };
  const countTokens: TokenCounter = (text) => counted.get(text) ?? store.countTokens(text);
  return { ...conversationOf(sessionId, events, pointers), ...began, countTokens };
}

/**
 * The window that ctx would have kept of an imported session: its requests, views and messages are read from the store that it gives.
 * `undefined` where the session was not imported, or an agent keeps a window of it. Writes nothing to `store`. Reads the log and its
 * results.
 * @throws `CTX_STORE_CORRUPT` where an output is missing.
 */
export async function playImported(
  store: ContextStore,
  sessionId: string,
  { mode = 'default' }: { readonly mode?: WindowMode } = {},
): Promise<ImportedWindow | undefined> {
  if ((await sessionLog(store, sessionId).requests()).length > 0) return undefined;
  const conversation = await importedConversation(store, sessionId);
  if (conversation === undefined) return undefined;
  const { startedAt, countTokens } = conversation;
  const recorded = await measureContext(store, { sessionId });
  const played = await playConversation(conversation, {
    countTokens,
    mode,
    windowTokens: recorded?.windowTokens ?? 200_000,
    ...(startedAt === undefined ? {} : { startedAt }),
  });
  return { store: played, messagesAside: conversation.asideMessages };
}
