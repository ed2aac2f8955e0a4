import type { ContextStore } from '@ctx/store';
import { eventsTo, readLog } from '../log/read-log.ts';
import type { ReadEvent } from '../log/stored-event.ts';

/** A message that a log took in. */
export interface HistoryMark {
  /** The event that stands for it. */
  readonly sequence: number;
  /** The event to go back to so that the message is not there yet; -1 where the log begins with it. */
  readonly before: number;
  /** What the caller knows it by. */
  readonly key?: string;
}

/** The messages among events that follow the event `before`. */
export function marksOf(events: Iterable<ReadEvent>, before: number): readonly HistoryMark[] {
  const marks: HistoryMark[] = [];
  let last = before;
  for (const { sequence, event } of events) {
    if (event.type === 'received') {
      const { key } = event;
      marks.push({ sequence, before: last, ...(key === undefined ? {} : { key }) });
    }
    last = sequence;
  }
  return marks;
}

/**
 * The messages that a session's log took in, in order, without what rewinds left out.
 * Reads the log.
 * @throws `CTX_STORE_CORRUPT`.
 */
export async function readHistory(
  store: ContextStore,
  sessionId: string,
): Promise<readonly HistoryMark[]> {
  const log = await readLog(store, sessionId);
  return marksOf(eventsTo(log), -1);
}
