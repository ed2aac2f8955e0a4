import { type ContentBlock, CtxError, callsOf, type Message, type ToolUseBlock } from '@ctx/core';
import type { ContextStore, HistoryEntry } from '@ctx/store';
import type { TranscriptEvent } from '@ctx/transcripts';
import type { CommandContext } from '../command-context.ts';
import { sessionEvents } from '../import/read-session-events.ts';

/** What a block says, on lines of its own. */
function textOf(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'tool_use') return `${block.name} ${JSON.stringify(block.input)}`;
  if (block.type === 'tool_result') return block.content.map(textOf).join('\n');
  return '';
}

/** Who says it: what the host wrote in the user's place is not the user's word, and a summary is a model's. */
function roleOf({ role, content }: Message, flags: TranscriptEvent['flags']): string {
  if (content.some(({ type }) => type === 'tool_result')) return 'tool';
  if (role === 'user' && flags?.summary === true) return 'assistant';
  return role === 'user' && flags?.scaffold === true ? 'system' : role;
}

/** A call as chat histories note it, so that a summariser knows it again. */
function notedCall({ id, name, input }: ToolUseBlock): unknown {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

/** Whether it is part of the conversation: a prompt and what no view shows are not. */
function isSaid({ lane, flags }: TranscriptEvent): boolean {
  return lane === 'main' && flags?.hidden !== true && flags?.prompt !== true;
}

/** A message of a log as an entry of a history; `undefined` of what says nothing. `before`: seconds, for events without a time. */
function entryOf(
  { message, at, flags }: TranscriptEvent,
  before: number,
): HistoryEntry | undefined {
  if (message === undefined) return undefined;
  const calls = callsOf(message);
  const results = message.content.filter((block) => block.type === 'tool_result');
  const [answered] = results.length === 1 ? results : [];
  const content = message.content
    .map(textOf)
    .filter((text) => text !== '')
    .join('\n');
  if (content === '') return undefined;
  return {
    timestamp: at === undefined ? before : at / 1000,
    role: roleOf(message, flags),
    content,
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(notedCall) }),
    ...(answered === undefined ? {} : { tool_call_id: answered.toolUseId }),
  };
}

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
    const entry = isSaid(event) ? entryOf(event, before) : undefined;
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
