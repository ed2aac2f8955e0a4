import { setImmediate as loopTurn } from 'node:timers/promises';
import type { ContentBlock } from '@ctx/core';
import type { SessionLog } from '@ctx/truncation';
import { type Recording, seenAt } from './recording.ts';

/** What the requests carried of a block. */
export type CarriedSegment = Awaited<ReturnType<SessionLog['carried']>>[number];

/** Most views that are read whole: each takes a millisecond or two. Between them, blocks only come in. */
const maxViews = 200;

type Seen = ReadonlyMap<number, readonly ContentBlock[]>;

/** Whether something left the view between two events, or came back. */
function isTurn({ events }: Recording, from: number, to: number): boolean {
  return events
    .slice(Math.max(0, from), to + 1)
    .some(({ boundary, rewindTo }) => boundary !== undefined || rewindTo !== undefined);
}

interface Sums {
  first: number;
  requests: number;
  tokens: number;
}

/** Adds a request to the sums of the blocks that it carried: those that came since its view was read are whole. */
function addRequest(
  { places, sizeOf }: Recording,
  sums: Sums[],
  { seen, readAt, seq, number }: RequestView,
): void {
  for (const [index, { event, index: block, block: given }] of places.entries()) {
    if (event.seq > seq) break;
    const sum = (sums[index] ??= { first: number, requests: 0, tokens: 0 });
    const shown = event.seq > readAt ? given : seen.get(event.seq)?.[block];
    if (shown === undefined) continue;
    sum.requests += 1;
    sum.tokens += sizeOf(shown);
  }
}

interface RequestView {
  readonly seen: Seen;
  /** The event at which the view was read. */
  readonly readAt: number;
  /** The last event before the request. */
  readonly seq: number;
  readonly number: number;
}

/**
 * What the requests of a recorded session carried of each block, in the order of its log.
 * The view is read whole after each compaction and rewind, and at 200 requests in all; serves others in between.
 */
export async function carriedBy(
  recording: Recording,
  requests: readonly { readonly number: number; readonly sequence: number }[],
): Promise<readonly CarriedSegment[]> {
  const sums: Sums[] = [];
  const every = Math.ceil(requests.length / maxViews);
  let seen: Seen = new Map();
  let readAt = -1;
  for (const [index, { number, sequence }] of requests.entries()) {
    const seq = sequence - 1;
    if (index % every === 0 || isTurn(recording, readAt + 1, seq)) {
      seen = seenAt(recording, seq);
      readAt = seq;
      await loopTurn();
    }
    addRequest(recording, sums, { seen, readAt, seq, number });
  }
  return sums;
}
