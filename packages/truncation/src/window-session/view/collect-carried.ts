import type { WindowState } from '../../window/window-state.ts';
import type { ReadEvent } from '../log/stored-event.ts';

/** What the requests of a session carried of one segment. */
export interface CarriedSegment {
  /** The first request that could carry it, from 1. */
  readonly first: number;
  /** Requests that showed anything of it. */
  readonly requests: number;
  /** Tokens that they showed of it, all of them together; counted, not calibrated. */
  readonly tokens: number;
}

/** Collects what the requests of a log carried of each segment, in its order. Costs requests × segments. */
export function collectCarried(): {
  readonly carried: readonly CarriedSegment[];
  readonly add: (state: WindowState, read: Pick<ReadEvent, 'event'>) => void;
} {
  const carried: { -readonly [Name in keyof CarriedSegment]: CarriedSegment[Name] }[] = [];
  let request = 0;
  return {
    carried,
    add: ({ log }, { event }) => {
      if (event.type !== 'requested') return;
      request += 1;
      for (const [index, { tokens }] of log.segments.entries()) {
        const sum = (carried[index] ??= { first: request, requests: 0, tokens: 0 });
        if (tokens > 0) sum.requests += 1;
        sum.tokens += tokens;
      }
    },
  };
}
