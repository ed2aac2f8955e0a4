import { CtxError } from '@ctx/core';
import type { ContextStore, HistoryEntry } from '@ctx/store';
import { importedEvents } from '../stored/imported-events.ts';
import { historyEntryOf } from './history-entry.ts';

/**
 * Copies the messages of an imported session's log into the history of its document, calls and results as text; the log stays as it is.
 * Returns how many entries there are.
 *
 * @throws `CTX_STORE_CONFLICT` if the document has a history or a summary; `CTX_NOT_FOUND` if the log holds no message.
 */
export async function copyLog(
  { from, into }: { readonly from: ContextStore; readonly into: ContextStore },
  sessionId: string,
  signal?: AbortSignal,
): Promise<number> {
  const session = await from.sessions.get(sessionId);
  const entries: HistoryEntry[] = [];
  let before = (session?.createdAt ?? 0) / 1000;
  for await (const { event } of importedEvents(from, sessionId, signal && { signal })) {
    const entry = historyEntryOf(event, before);
    if (entry === undefined) continue;
    before = entry.timestamp;
    entries.push(entry);
  }
  if (entries.length === 0) {
    throw new CtxError('CTX_NOT_FOUND', `the log of ${sessionId} holds no message`);
  }
  await into.sessions.update(sessionId, (found) => {
    const { document } = found;
    if (document.recent_history.length > 0 || document.long_term_summary !== '') {
      const message = `the document of ${sessionId} has a history already: compact it without --from-log`;
      throw new CtxError('CTX_STORE_CONFLICT', message);
    }
    return { ...found, document: { ...document, recent_history: entries } };
  });
  return entries.length;
}
