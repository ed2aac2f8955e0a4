import type { ContentBlock, Message, TokenCounter } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { importedEvents, type StoredEvent, type TranscriptEvent } from '@ctx/transcripts';
import { sessionLog } from '@ctx/truncation';
import { measureContext } from '../context/measure-context.ts';
import { type Conversation, conversationOf, pointersOf } from './conversation.ts';
import { type PlayOptions, playConversation } from './play-conversation.ts';

/** The window of a session that came from a transcript: none was kept, so it is the one that ctx would have kept. */
export interface ImportedWindow {
  /** Holds the log of that window under the session's id, in memory. */
  readonly store: ContextStore;
  /** Messages of the record that its agent's model no longer saw: they are not in the window. */
  readonly messagesAside: number;
  /** Whether the log has the times of the record: those of its messages, or of the ones before them. */
  readonly isDated: boolean;
}

/** A conversation, when it began, and a counter that knows the results which the store counted. */
interface ImportedConversation extends Conversation {
  readonly startedAt?: number;
  readonly saidAt: (message: Message) => number | undefined;
  readonly countTokens: TokenCounter;
}

/** An event as `importedEvents` yields it: with its results, and their tokens by text. Plain data. */
interface ReadEvent extends Pick<StoredEvent, 'event' | 'results'> {
  readonly counts: readonly (readonly [text: string, tokens: number])[];
}

/** An imported session that was read already, perhaps by another thread. */
interface ReadSession {
  readonly read: readonly ReadEvent[];
  readonly countTokens: TokenCounter;
}

async function readSession(
  store: ContextStore,
  sessionId: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<ReadSession> {
  const read: ReadEvent[] = [];
  for await (const { event, counts, stored } of importedEvents(store, sessionId, options)) {
    read.push({ event, counts, results: stored.results });
  }
  return { read, countTokens: store.countTokens };
}

/** Tells when a message was said: messages that follow each other may have become one, which was said when its last text was. */
function timesOf(events: readonly TranscriptEvent[]): ImportedConversation['saidAt'] {
  const times = new Map<ContentBlock, number>();
  for (const { at, message } of events) {
    for (const block of message?.content ?? []) if (at !== undefined) times.set(block, at);
  }
  return ({ content }) => {
    const timed = content.filter((block) => times.has(block));
    const last = timed.findLast(({ type }) => type === 'text') ?? timed.at(-1);
    return last && times.get(last);
  };
}

function conversationFrom(
  sessionId: string,
  { read, countTokens: count }: ReadSession,
): ImportedConversation {
  const counted = new Map(read.flatMap(({ counts }) => counts));
  const events = read.map(({ event }) => event);
  const startedAt = events.find(({ at }) => at !== undefined)?.at;
  const began = startedAt === undefined ? {} : { startedAt };
  const countTokens: TokenCounter = (text) => counted.get(text) ?? count(text);
  const conversation = conversationOf(sessionId, events, pointersOf(read));
  return { ...conversation, ...began, saidAt: timesOf(events), countTokens };
}

/** Reads the conversation of an imported session; `undefined` if the session was not imported. */
export async function importedConversation(
  store: ContextStore,
  sessionId: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<ImportedConversation | undefined> {
  const session = await readSession(store, sessionId, options);
  return session.read.length === 0 ? undefined : conversationFrom(sessionId, session);
}

/** How a session is played. */
export interface PlayImportedOptions
  extends Pick<PlayOptions, 'mode' | 'onStep' | 'compactWindow'> {
  /** Default: as the session was recorded, else 200,000. */
  readonly windowTokens?: number | undefined;
}

interface ToPlay {
  readonly session: ReadSession;
  /** As the session was recorded. */
  readonly windowTokens?: number | undefined;
}

/** What is played of a store; `undefined` where the session was not imported, or an agent keeps a window of it. */
async function readToPlay(store: ContextStore, sessionId: string): Promise<ToPlay | undefined> {
  if ((await sessionLog(store, sessionId).requests()).length > 0) return undefined;
  const session = await readSession(store, sessionId);
  if (session.read.length === 0) return undefined;
  const recorded = await measureContext(store, { sessionId });
  return { session, windowTokens: recorded?.windowTokens };
}

/**
 * The window that ctx would have kept of an imported session: its requests, views and messages are read from the store that it gives.
 * `undefined` where the session was not imported, or an agent keeps a window of it. Writes nothing to the store of the session. Reads the
 * log and its results, unless these are handed in.
 * @throws `CTX_STORE_CORRUPT` where an output is missing, `CTX_WINDOW_OVERFLOW`.
 */
export async function playImported(
  from: ContextStore | ReadSession,
  sessionId: string,
  { windowTokens: given, ...options }: PlayImportedOptions = {},
): Promise<ImportedWindow | undefined> {
  const found = 'read' in from ? { session: from } : await readToPlay(from, sessionId);
  if (found === undefined) return undefined;
  const { session, windowTokens = 200_000 }: ToPlay = found;
  const conversation = conversationFrom(sessionId, session);
  const { startedAt = 0, saidAt, countTokens, asideMessages } = conversation;
  const store = await playConversation(conversation, {
    ...options,
    ...{ countTokens, startedAt, saidAt, windowTokens: given ?? windowTokens },
  });
  const isDated = conversation.startedAt !== undefined;
  return { store, messagesAside: asideMessages, isDated };
}
