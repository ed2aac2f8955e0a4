import type { Message } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { createAdmission } from '../../window/admit.ts';
import { keepPointers } from '../../window/log/result-pointers.ts';
import { eventsTo, readLog } from '../log/read-log.ts';
import { admittedBy, messageRangesOf } from './read-messages.ts';
import { takePointers } from './whole-results.ts';

function resultsIn({ content }: Message): number {
  return content.filter(({ type }) => type === 'tool_result').length;
}

/**
 * The output that a message of a session's log holds alone, `ctx://outputs/<id>`, for an address such as `ctx://messages/26`;
 * `undefined` where the address is none of one message, or the message holds no result, several, or one that is not stored.
 * Reads the log up to there, without the results.
 * @throws `CTX_STORE_CORRUPT`.
 */
export async function outputOfAddress(
  store: ContextStore,
  sessionId: string,
  address: string,
): Promise<string | undefined> {
  const [range, ...others] = messageRangesOf(address) ?? [];
  if (range === undefined || range.from !== range.to || others.length > 0) return undefined;
  const admission = createAdmission();
  const kept = new Map<string, string>();
  let index = 0;
  for (const read of eventsTo(await readLog(store, sessionId))) {
    const admitted = admittedBy(admission, read);
    if (read.event.type === 'received') keepPointers(kept, read.event);
    for (const message of admitted) {
      const pointers = takePointers(message, kept, admission);
      if (index === range.from) {
        const [pointer] = pointers.values();
        return resultsIn(message) === 1 ? pointer : undefined;
      }
      index += 1;
    }
  }
  return undefined;
}
