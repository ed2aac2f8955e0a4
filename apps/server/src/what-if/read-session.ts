import { setImmediate as loopTurn } from 'node:timers/promises';
import type { Message } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { importedEvents, type TranscriptEvent } from '@ctx/transcripts';
import { sessionLog } from '@ctx/truncation';
import { isImported } from '../routes/sessions/imported-messages.ts';
import type { ReplayEvent } from './thread-messages.ts';

/** Messages that are read at once: each page reads the log from its beginning. */
const pageSize = 1_000;

const noSource = { offset: 0, length: 0, sha256: '' };

/**
 * When a message of a log was sent or came. A message goes out first with the request that carries it; an answer is dated by
 * the request that it answers.
 */
export function timesOfMessages(
  requests: readonly { readonly at: number; readonly messages: number }[],
): (index: number, role: Message['role']) => number | undefined {
  let place = 0;
  return (index, role) => {
    while (place < requests.length && (requests[place]?.messages ?? 0) <= index) place += 1;
    const request =
      role === 'assistant' ? requests[place - 1] : (requests[place] ?? requests.at(-1));
    return request?.at;
  };
}

/** The messages that an agent put into its window, as events of a transcript: as they came, whatever left later. */
async function* keptEvents(
  store: ContextStore,
  sessionId: string,
): AsyncGenerator<TranscriptEvent> {
  const log = sessionLog(store, sessionId);
  const timeOf = timesOfMessages((await log.sent()).timeline);
  for (let from = 0; ; from += pageSize) {
    const page = await log.messages({ from, to: from + pageSize - 1 });
    for (const { index, message } of page) {
      const at = timeOf(index, message.role);
      const time = at === undefined ? {} : { at };
      yield { kind: 'message', seq: index, lane: 'main', message, source: noSource, ...time };
    }
    if (page.length < pageSize) return;
    await loopTurn();
  }
}

/** Yields the events of a session, imported or kept by an agent. Writes nothing. */
export async function* eventsOfSession(
  store: ContextStore,
  sessionId: string,
  signal: AbortSignal,
): AsyncGenerator<ReplayEvent> {
  if (!(await isImported(store, sessionId))) {
    for await (const event of keptEvents(store, sessionId)) yield { event };
    return;
  }
  for await (const { event } of importedEvents(store, sessionId, { signal })) yield { event };
}
