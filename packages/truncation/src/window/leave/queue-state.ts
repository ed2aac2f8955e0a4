import type { Pair } from '../log/segment.ts';
import { createReadsByPath, type ReadsByPath } from './reads-by-path.ts';
import { createStayRules, type LeaveQueueHost, type StayRules } from './stay-rules.ts';
import { createTailLane, type TailLane } from './tail-lane.ts';
import { isRead } from './touched-files.ts';

/** Where the pairs are that may leave: in the tail, held back, waiting for a newer one, or free to go. */
export interface QueueState {
  readonly host: LeaveQueueHost;
  readonly lanes: Readonly<Record<'read' | 'edit' | 'other', TailLane>>;
  /** Pairs that are shown in part because they are young. */
  readonly parts: TailLane;
  readonly rules: StayRules;
  candidates: Pair[];
  held: Pair[];
  heldTokens: number;
  leavingTokens: number;
  firstSegment: number;
  steps: number;
  readonly waiting: Map<Pair, Pair[]>;
  readonly reads: ReadsByPath;
}

/** Oldest first. */
export const byIndex = (a: Pair, b: Pair): number => a.index - b.index;

/** The tail that a pair comes into: each kind has its own. */
export function laneOf({ lanes }: QueueState, pair: Pair): TailLane {
  if (isRead(pair)) return lanes.read;
  return pair.use?.access === 'edit' && pair.partTokens !== undefined ? lanes.edit : lanes.other;
}

/** Nothing came in yet. */
export function emptyQueue(host: LeaveQueueHost): QueueState {
  return {
    host,
    lanes: {
      read: createTailLane(() => host.policy().tailTokens),
      edit: createTailLane(() => host.policy().editTailTokens),
      other: createTailLane(() => host.policy().otherTailTokens),
    },
    parts: createTailLane(() => host.policy().partTailTokens),
    rules: createStayRules(host),
    candidates: [],
    held: [],
    heldTokens: 0,
    leavingTokens: 0,
    firstSegment: Infinity,
    steps: 0,
    waiting: new Map(),
    reads: createReadsByPath(),
  };
}

/** The pairs of some lanes that are in one place, oldest first. */
export function pairsIn(lanes: readonly TailLane[], place: Pair['state']): Pair[] {
  return lanes.flatMap(({ tail }) => tail.filter(({ state }) => state === place)).sort(byIndex);
}
