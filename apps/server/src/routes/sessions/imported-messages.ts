import type { Message } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { restoreEvent, storedEventOf } from '@ctx/transcripts';

/** A message of a session that came from a transcript. */
export interface ImportedMessage {
  /** Place of its record in the log. */
  readonly index: number;
  readonly message: Message;
  /** `main`, or the id of a sub-agent. */
  readonly lane: string;
}

/** A page of them. */
export interface ImportedPage {
  readonly messages: readonly ImportedMessage[];
  /** Where to read on; missing at the end. */
  readonly next?: number;
}

/** Whether the log of a session begins as an import writes it. Reads one event. */
export async function isImported({ events }: ContextStore, sessionId: string): Promise<boolean> {
  for await (const { payload } of events.read(sessionId, { limit: 1 })) {
    return storedEventOf(payload) !== undefined;
  }
  return false;
}

/**
 * Messages of an imported session with their results, in the order of the file.
 * As they were stored: secrets were taken out on the way in. Reads the events of the page and their results.
 */
export async function importedMessages(
  store: ContextStore,
  sessionId: string,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<ImportedPage> {
  const messages: ImportedMessage[] = [];
  for await (const { sequence, payload } of store.events.read(sessionId, { from })) {
    const stored = storedEventOf(payload);
    if (stored?.event.message === undefined) continue;
    if (messages.length === limit) return { messages, next: sequence };
    const { message, lane } = await restoreEvent(store, sessionId, stored);
    if (message !== undefined) messages.push({ index: sequence, message, lane });
  }
  return { messages };
}
