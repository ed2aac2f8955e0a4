import type { ContextStore } from '@ctx/store';
import { applyEvent } from '../../window/apply-event.ts';
import { createWindowState } from '../../window/window-state.ts';
import { eventsInTurns, readLog } from '../log/read-log.ts';
import { windowOptions } from '../window-options.ts';
import { type CarriedSegment, collectCarried } from './collect-carried.ts';
import { collectTimeline, type TimelineRequest } from './collect-timeline.ts';

/** What a session sent. */
export interface SentRequests {
  /** The requests in order, with what was done for each: what left, what was summed up, what the cache held. */
  readonly timeline: readonly TimelineRequest[];
  /** What they carried of each segment of the log, in its order. */
  readonly carried: readonly CarriedSegment[];
}

/**
 * Folds the log of a session once, and returns its requests and what they carried.
 * Writes nothing; what rewinds left out is not among them. Reads the log, without the results that the outputs hold.
 * @throws `CTX_STORE_CORRUPT`.
 */
export async function readSent(store: ContextStore, sessionId: string): Promise<SentRequests> {
  const state = createWindowState(windowOptions(store, {}));
  const [timeline, carried] = [collectTimeline(), collectCarried()];
  for await (const read of eventsInTurns(await readLog(store, sessionId))) {
    applyEvent(state, read.event);
    timeline.add(state, read);
    carried.add(state, read);
  }
  return { timeline: timeline.requests, carried: carried.carried };
}
