import type { ContextStore } from '@ctx/store';
import { applyEvent } from '../../window/apply-event.ts';
import { createWindowState } from '../../window/window-state.ts';
import { eventsInTurns, readLog } from '../log/read-log.ts';
import { windowOptions } from '../window-options.ts';

/** What the requests of a session carried of one segment. */
export interface CarriedSegment {
  /** The first request that could carry it, from 1. */
  readonly first: number;
  /** Requests that showed anything of it. */
  readonly requests: number;
  /** Tokens that they showed of it, all of them together; counted, not calibrated. */
  readonly tokens: number;
}

/**
 * What the requests of a session carried of each segment of its log, in the order of the log.
 * Writes nothing; what rewinds left out is not among them. Costs requests × segments.
 * @throws `CTX_STORE_CORRUPT`.
 */
export async function readCarried(
  store: ContextStore,
  sessionId: string,
): Promise<readonly CarriedSegment[]> {
  const carried: { -readonly [Name in keyof CarriedSegment]: CarriedSegment[Name] }[] = [];
  const state = createWindowState(windowOptions(store, {}));
  let request = 0;
  for await (const { event } of eventsInTurns(await readLog(store, sessionId))) {
    applyEvent(state, event);
    if (event.type !== 'requested') continue;
    request += 1;
    for (const [index, { tokens }] of state.log.segments.entries()) {
      const sum = (carried[index] ??= { first: request, requests: 0, tokens: 0 });
      if (tokens > 0) sum.requests += 1;
      sum.tokens += tokens;
    }
  }
  return carried;
}
