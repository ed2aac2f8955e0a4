import { CtxError } from '@ctx/core';
import type { ContextStore, HistoryEntry } from '@ctx/store';
import { historyEntryOf } from '@ctx/transcripts/import';
import type { CommandContext } from '../command-context.ts';
import { sessionEvents } from '../import/read-session-events.ts';

/**
 * Takes the messages of an imported session's log into the history of its document, calls and results as text.
 * Contract: only into a document that has no history and no summary; the log stays as it is. Gives how many entries there are.
 * Throws: `CTX_STORE_CONFLICT` where the document has a history of its own; `CTX_NOT_FOUND` where the log holds no message.
 */
export async function takeInLog(
  context: CommandContext,
  { from, into }: { readonly from: ContextStore; readonly into: ContextStore },
  sessionId: string,
): Promise<number> {
  const session = await from.sessions.get(sessionId);
  const entries: HistoryEntry[] = [];
  let before = (session?.createdAt ?? 0) / 1000;
  for await (const { event } of sessionEvents(context, from, { id: sessionId, what: 'reading' })) {
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
