import type { Pair } from './segment.ts';
import type { WindowPolicy } from './window-policy.ts';

/** So many pairs behind the tail are forgotten at once. */
const forgetFrom = 256;

/** What the queue asks of the log. */
export interface LeaveQueueHost {
  readonly policy: WindowPolicy;
  /** Tokens shown behind a segment. */
  readonly tokensAfter: (segment: number) => number;
  /** Most tokens of reads that are held. */
  readonly holdTokens: () => number;
  /** The turn of the user that runs. */
  readonly turn: () => number;
}

/** Knows which calls and results left the protected tail, and which of them are held back. */
export interface LeaveQueue {
  add(pair: Pair): void;
  /** Takes note of what left the tail since the last time. */
  advance(): void;
  /** Lets go of reads of a file that were read anew or edited; `range` limits it to equal lines. */
  outdate(path: string, range?: string): void;
  /** Lets go of the reads of the turns before. */
  beginTurn(): void;
  readonly candidates: readonly Pair[];
  readonly held: readonly Pair[];
  /** Tokens that the candidates save. */
  readonly leavingTokens: number;
  /** Place of the first segment of the candidates. */
  readonly firstSegment: number;
  /** Pairs between the tail and the shorter one of a cold moment. */
  coldPairs(): readonly Pair[];
  /** Pairs in the tail, oldest first. */
  tailPairs(): readonly Pair[];
  /** Forgets pairs that left. */
  remove(pairs: readonly Pair[]): void;
  /** Pairs looked at so far: the work that was done. */
  readonly steps: number;
}

interface QueueState {
  readonly pairs: Pair[];
  /** Place of the first pair in the tail. */
  next: number;
  candidates: Pair[];
  held: Pair[];
  heldTokens: number;
  leavingTokens: number;
  firstSegment: number;
  steps: number;
  readonly waiting: Map<Pair, Pair[]>;
  /** Reads that are not outdated, by path. */
  readonly reads: Map<string, Pair[]>;
}

function nominate(state: QueueState, pair: Pair): void {
  if (pair.savedTokens <= 0) return;
  pair.state = 'candidate';
  state.candidates.push(pair);
  state.leavingTokens += pair.savedTokens;
  state.firstSegment = Math.min(state.firstSegment, pair.callSegment);
}

function isHeld(pair: Pair, host: LeaveQueueHost): boolean {
  const isRead = pair.use?.access === 'read' && !pair.isError && !pair.isOutdated;
  if (!isRead || host.holdTokens() <= 0) return false;
  return pair.turn === host.turn() || host.policy.newestReadTokens > 0;
}

/** Lets go of what is over the limits: the youngest stay, and of earlier turns only as much as the policy says. */
function trimHeld(state: QueueState, host: LeaveQueueHost): void {
  const room = { all: host.holdTokens(), old: host.policy.newestReadTokens };
  let keep = state.held.length;
  for (let pair = state.held[keep - 1]; pair !== undefined; pair = state.held[keep - 1]) {
    room.all -= pair.savedTokens;
    if (pair.turn !== host.turn()) room.old -= pair.savedTokens;
    if (room.all < 0 || room.old < 0) break;
    keep -= 1;
  }
  for (const pair of state.held.splice(0, keep)) {
    state.heldTokens -= pair.savedTokens;
    state.steps += 1;
    nominate(state, pair);
  }
}

/** A pair that another one rests on leaves the tail with that one. */
function leaveTail(state: QueueState, pair: Pair, host: LeaveQueueHost): void {
  state.steps += 1;
  const newer = pair.restedOnBy;
  if (newer?.state === 'tail') {
    pair.state = 'waiting';
    state.waiting.set(newer, [...(state.waiting.get(newer) ?? []), pair]);
    return;
  }
  if (isHeld(pair, host)) {
    pair.state = 'held';
    state.held.push(pair);
    state.heldTokens += pair.savedTokens;
    const isOver = state.heldTokens > host.holdTokens() || pair.turn !== host.turn();
    if (isOver) trimHeld(state, host);
  } else nominate(state, pair);
  for (const older of state.waiting.get(pair) ?? []) leaveTail(state, older, host);
  state.waiting.delete(pair);
}

function advance(state: QueueState, host: LeaveQueueHost): void {
  const { pairs } = state;
  for (let pair = pairs[state.next]; pair !== undefined; pair = pairs[state.next]) {
    if (host.tokensAfter(pair.resultSegment) < host.policy.tailTokens) return;
    state.next += 1;
    if (pair.state === 'tail') leaveTail(state, pair, host);
    if (state.next < forgetFrom) continue;
    pairs.splice(0, state.next);
    state.next = 0;
  }
}

function outdate(state: QueueState, path: string, range?: string): void {
  const reads = state.reads.get(path) ?? [];
  const isMeant = (pair: Pair): boolean =>
    range === undefined || range === '' || pair.use?.range === range;
  for (const pair of reads) {
    if (!isMeant(pair)) continue;
    state.steps += 1;
    pair.isOutdated = true;
    if (pair.state !== 'held') continue;
    state.held = state.held.filter((other) => other !== pair);
    state.heldTokens -= pair.savedTokens;
    nominate(state, pair);
  }
  state.reads.set(
    path,
    reads.filter((pair) => !pair.isOutdated),
  );
}

function coldPairs(state: QueueState, host: LeaveQueueHost): Pair[] {
  const found: Pair[] = [];
  for (let index = state.next; index < state.pairs.length; index += 1) {
    const pair = state.pairs[index];
    if (pair === undefined || host.tokensAfter(pair.resultSegment) < host.policy.coldTailTokens)
      break;
    state.steps += 1;
    const stays = pair.state !== 'tail' || pair.restedOnBy?.state === 'tail' || isHeld(pair, host);
    if (!stays && pair.savedTokens > 0) found.push(pair);
  }
  return found;
}

function remove(state: QueueState, pairs: readonly Pair[]): void {
  const left = new Set(pairs);
  for (const pair of left) pair.state = 'left';
  state.steps += left.size;
  const isIn = (pair: Pair): boolean => !left.has(pair);
  state.held = state.held.filter(isIn);
  state.heldTokens = state.held.reduce((sum, pair) => sum + pair.savedTokens, 0);
  state.candidates = state.candidates.filter(isIn);
  state.leavingTokens = state.candidates.reduce((sum, pair) => sum + pair.savedTokens, 0);
  const firsts = state.candidates.map(({ callSegment }) => callSegment);
  state.firstSegment = firsts.reduce((least, first) => Math.min(least, first), Infinity);
  for (const pair of left) {
    const path = pair.use?.path;
    const reads = path === undefined ? undefined : state.reads.get(path);
    if (path !== undefined && reads !== undefined) state.reads.set(path, reads.filter(isIn));
  }
}

function emptyQueue(): QueueState {
  return {
    pairs: [],
    next: 0,
    candidates: [],
    held: [],
    heldTokens: 0,
    leavingTokens: 0,
    firstSegment: Infinity,
    steps: 0,
    waiting: new Map(),
    reads: new Map(),
  };
}

function add(state: QueueState, pair: Pair): void {
  state.pairs.push(pair);
  const { use } = pair;
  if (use?.access !== 'read' || pair.isError) return;
  state.reads.set(use.path, [...(state.reads.get(use.path) ?? []), pair]);
}

/** Starts empty. Cost: each pair is moved at most three times in its life, whatever the length of the log. */
export function createLeaveQueue(host: LeaveQueueHost): LeaveQueue {
  const state = emptyQueue();
  return {
    add: (pair) => {
      add(state, pair);
    },
    advance: () => {
      advance(state, host);
    },
    outdate: (path, range) => {
      outdate(state, path, range);
    },
    beginTurn: () => {
      trimHeld(state, host);
    },
    get candidates() {
      return state.candidates;
    },
    get held() {
      return state.held;
    },
    get leavingTokens() {
      return state.leavingTokens;
    },
    get firstSegment() {
      return state.firstSegment;
    },
    coldPairs: () => coldPairs(state, host),
    tailPairs: () => state.pairs.slice(state.next).filter(({ state: place }) => place === 'tail'),
    remove: (pairs) => {
      remove(state, pairs);
    },
    get steps() {
      return state.steps;
    },
  };
}
