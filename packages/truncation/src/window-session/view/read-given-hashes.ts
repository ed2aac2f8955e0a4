import { checkMessages, type Message } from '@ctx/core';
import { fingerprint } from '@ctx/core/encoding';
import type { ContextStore } from '@ctx/store';
import { eventsTo, readLog } from '../log/read-log.ts';
import { withoutLargeResults } from '../log/stored-event.ts';

/**
 * What a message is known again by when a conversation is handed in once more: all of it but the content of large results.
 * Equal for a message and for what a session's log keeps of it.
 */
export function hashOfGiven(message: Message): string {
  checkMessages([message]);
  return fingerprint(withoutLargeResults(message));
}

/**
 * The prints of the messages that a session's window was given, in order, as far as they lead to its view.
 * Reads the log, without the results.
 * @throws `CTX_STORE_CORRUPT`.
 */
export async function readGivenHashes(store: ContextStore, sessionId: string): Promise<string[]> {
  const log = await readLog(store, sessionId);
  const prints: string[] = [];
  for (const { event } of eventsTo(log)) {
    if (event.type === 'received') prints.push(hashOfGiven(event.message));
  }
  return prints;
}
