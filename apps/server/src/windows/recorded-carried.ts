import { setImmediate as loopTurn } from 'node:timers/promises';
import type { ContentBlock } from '@ctx/core';
import type { SessionLog } from '@ctx/truncation';
import { isAnyWithin, type Recording, seenAt } from './recording.ts';

/** What the requests carried of a block. */
export type CarriedSegment = Awaited<ReturnType<SessionLog['sent']>>['carried'][number];

/** Most views that are read whole for branches of the log: each takes a millisecond or two. */
const maxViews = 200;

type Seen = ReadonlyMap<number, readonly ContentBlock[]>;

interface Sums {
  first: number;
  requests: number;
  tokens: number;
}

interface MadeRequest {
  readonly number: number;
  readonly sequence: number;
}

/** A view, and the requests that it serves: between them, blocks only come in. */
interface ServingView {
  readonly seen: Seen;
  /** The event at which the view was read: the last one before the first of the requests. */
  readonly readAt: number;
  readonly requests: MadeRequest[];
}

/** Adds the requests of a view to the sums of the blocks that they carried: those that came since it was read are whole. */
function addView(
  { places, sizeOf }: Recording,
  sums: Sums[],
  { seen, readAt, requests }: ServingView,
): void {
  let place = 0;
  for (const [index, { event, index: block, block: given }] of places.entries()) {
    while ((requests[place]?.sequence ?? Infinity) <= event.seq) place += 1;
    const first = requests[place];
    if (first === undefined) return;
    const sum = (sums[index] ??= { first: first.number, requests: 0, tokens: 0 });
    const shown = event.seq > readAt ? given : seen.get(event.seq)?.[block];
    if (shown === undefined) continue;
    const times = requests.length - place;
    sum.requests += times;
    sum.tokens += times * sizeOf(shown);
  }
}

/**
 * What the requests of a recorded session carried of each block, in the order of its log.
 * The view is read whole after each compaction and rewind, and for branches at 200 requests at most; serves others in between.
 */
export async function carriedBy(
  recording: Recording,
  requests: readonly MadeRequest[],
): Promise<readonly CarriedSegment[]> {
  const sums: Sums[] = [];
  const { turns } = recording;
  const every = Math.ceil(requests.length / maxViews);
  let view: ServingView = { seen: new Map(), readAt: -1, requests: [] };
  for (const [index, request] of requests.entries()) {
    const seq = request.sequence - 1;
    const isLeft = (events: readonly number[]): boolean =>
      isAnyWithin(events, view.readAt + 1, seq);
    if (index === 0 || isLeft(turns.marked) || (index % every === 0 && isLeft(turns.branches))) {
      addView(recording, sums, view);
      view = { seen: seenAt(recording, seq), readAt: seq, requests: [] };
      await loopTurn();
    }
    view.requests.push(request);
  }
  addView(recording, sums, view);
  return sums;
}
