import type { CallUse } from '../../calls/describe-call.ts';
import type { Pair } from '../log/segment.ts';
import { type Carrying, carrying } from './carried-reads.ts';
import { coldPairs } from './cold-pairs.ts';
import { firstSegmentOf, leavingOf } from './leaving-of.ts';
import { byIndex, emptyQueue, laneOf, pairsIn, type QueueState } from './queue-state.ts';
import type { LeaveQueueHost } from './stay-rules.ts';

/** Knows which calls and results left the protected tail, and which of them are held back. */
export interface LeaveQueue extends Carrying {
  add(pair: Pair): void;
  /** Takes note of what left the tail since the last time. */
  advance(): void;
  /** Lets go of reads of which a newer one shows every line again. */
  outdate(newer: CallUse): void;
  /** Keeps what a newer pair rests on, also where it was about to leave. */
  restOn(older: Pair): void;
  /** Takes what the user says: files that it names are at work. */
  takeWords(text: string): void;
  readonly candidates: readonly Pair[];
  /** What is out of the tail and stays for now: first what is shown in part, oldest first, then the files at work, those first that rested longest. */
  readonly held: readonly Pair[];
  /** About how many tokens are held because the work needs them. */
  readonly heldTokens: number;
  /** Tokens that the candidates save. */
  readonly leavingTokens: number;
  /** Place of the first segment of the candidates. */
  readonly firstSegment: number;
  /** Pairs between the tail and the shorter one of a cold moment, and reads at work that are cheaper to ask for again than to keep. */
  coldPairs(): readonly Pair[];
  /** Pairs in the tail, and what waits for them, oldest first. */
  tailPairs(): readonly Pair[];
  /** Whether a pair that leaves now is shown in part for a while. */
  goesInPart(pair: Pair): boolean;
  /** Takes note of pairs that left; those in `inPart` are shown in part. */
  remove(pairs: readonly Pair[], inPart?: ReadonlySet<Pair>): void;
  /** Pairs looked at so far: the work that was done. */
  readonly steps: number;
}

function hold(state: QueueState, pair: Pair): void {
  pair.state = 'held';
  state.held.push(pair);
  state.heldTokens += state.rules.savingOf(pair);
}

function keepPart(state: QueueState, pair: Pair): void {
  pair.state = 'part';
  state.parts.add(pair);
}

function wait(state: QueueState, pair: Pair, newer: Pair): void {
  pair.state = 'waiting';
  state.waiting.set(newer, [...(state.waiting.get(newer) ?? []), pair]);
}

function nominate(state: QueueState, pair: Pair): void {
  if (pair.restedOnBy?.state === 'tail') {
    wait(state, pair, pair.restedOnBy);
    return;
  }
  const saving = state.rules.savingOf(pair);
  if (saving <= 0) {
    pair.state = 'staying';
    if (state.rules.goesInPart(pair)) keepPart(state, pair);
    return;
  }
  pair.state = 'candidate';
  pair.nominatedAt = state.host.requests();
  pair.leavingTokens = saving;
  state.candidates.push(pair);
  state.leavingTokens += saving;
  state.firstSegment = Math.min(state.firstSegment, firstSegmentOf(pair));
}

/** Lets go of what is no longer held, and of what is over the limit: files that were changed stay, then those touched last. */
function trimHeld(state: QueueState): void {
  const { held } = state;
  let room = state.host.holdTokens();
  const kept = new Set<Pair>();
  for (const pair of leastNeeded(state).toReversed()) {
    state.steps += 1;
    const saving = state.rules.savingOf(pair);
    if (!state.rules.isHeld(pair) || saving > room) continue;
    room -= saving;
    kept.add(pair);
  }
  state.held = held.filter((pair) => kept.has(pair));
  state.heldTokens = state.host.holdTokens() - room;
  for (const pair of held) if (!kept.has(pair)) letGo(state, pair);
}

/** What is held, that first whose file rested longest. */
function leastNeeded({ held, rules }: QueueState): Pair[] {
  const rest = new Map(held.map((pair) => [pair, rules.restOf(pair)]));
  const restOf = (pair: Pair): number => rest.get(pair) ?? 0;
  return held.toSorted((a, b) => restOf(b) - restOf(a) || byIndex(a, b));
}

function letGo(state: QueueState, pair: Pair): void {
  if (pair.isInPart && !pair.isOutdated && state.rules.isYoung(pair)) keepPart(state, pair);
  else nominate(state, pair);
}

/** A pair that another one rests on leaves the tail with that one. */
function leaveTail(state: QueueState, pair: Pair): void {
  state.steps += 1;
  if (pair.restedOnBy?.state === 'tail') {
    wait(state, pair, pair.restedOnBy);
    return;
  }
  if (state.rules.isHeld(pair)) {
    hold(state, pair);
    if (state.heldTokens > state.host.holdTokens()) trimHeld(state);
  } else nominate(state, pair);
  releaseWaiting(state, pair);
}

/** Lets go of what waited for a newer pair that is not in the tail any more. */
function releaseWaiting(state: QueueState, newer: Pair): void {
  const waiting = state.waiting.get(newer) ?? [];
  state.waiting.delete(newer);
  for (const older of waiting) if (older.state === 'waiting') leaveTail(state, older);
}

/** Holds what was about to leave, if a call touched its file meanwhile. What finds no room goes on waiting since it was nominated. */
function takeBack(state: QueueState): void {
  const back = state.candidates.filter((pair) => state.rules.isHeld(pair));
  if (back.length === 0) return;
  const since = new Map(back.map((pair) => [pair, pair.nominatedAt]));
  state.steps += back.length;
  state.candidates = state.candidates.filter((pair) => !since.has(pair));
  for (const pair of back) hold(state, pair);
  state.held.sort(byIndex);
  recount(state);
  if (state.heldTokens > state.host.holdTokens()) trimHeld(state);
  for (const [pair, at] of since) if (pair.state === 'candidate') pair.nominatedAt = at;
}

function advance(state: QueueState): void {
  const { tokensAfter } = state.host;
  takeBack(state);
  if (state.held.some((pair) => !state.rules.isHeld(pair))) trimHeld(state);
  for (const lane of Object.values(state.lanes)) {
    for (const pair of lane.leave(tokensAfter)) if (pair.state === 'tail') leaveTail(state, pair);
  }
  for (const pair of state.parts.leave(tokensAfter)) {
    state.steps += 1;
    if (pair.state !== 'part') continue;
    if (state.rules.isHeld(pair)) hold(state, pair);
    else nominate(state, pair);
  }
}

/** Takes one pair out of those that are held, and lets it go. */
function release(state: QueueState, pair: Pair): void {
  if (pair.state === 'part' && pair.isOutdated) nominate(state, pair);
  if (pair.state !== 'held') return;
  state.held = state.held.filter((other) => other !== pair);
  state.heldTokens -= state.rules.savingOf(pair);
  letGo(state, pair);
}

function outdate(state: QueueState, newer: CallUse): void {
  for (const pair of state.reads.outdate(newer)) {
    state.steps += 1;
    release(state, pair);
  }
}

function recount(state: QueueState): void {
  Object.assign(state, leavingOf(state.candidates));
}

function restOn(state: QueueState, older: Pair): void {
  if (older.state !== 'candidate') return;
  state.candidates = state.candidates.filter((pair) => pair !== older);
  recount(state);
  nominate(state, older);
}

function remove(state: QueueState, pairs: readonly Pair[], inPart: ReadonlySet<Pair>): void {
  const left = new Set(pairs);
  state.steps += left.size;
  state.candidates = state.candidates.filter((pair) => !left.has(pair));
  state.held = state.held.filter((pair) => !left.has(pair));
  for (const pair of left) {
    if (inPart.has(pair)) {
      pair.isInPart = true;
      if (state.rules.isHeld(pair)) hold(state, pair);
      else keepPart(state, pair);
    } else {
      pair.state = 'left';
      state.reads.forget(pair);
    }
  }
  for (const pair of left) if (pair.state !== 'tail') releaseWaiting(state, pair);
  state.held.sort(byIndex);
  state.heldTokens = state.held.reduce((sum, pair) => sum + state.rules.savingOf(pair), 0);
  recount(state);
}

function add(state: QueueState, pair: Pair): void {
  laneOf(state, pair).add(pair);
  state.rules.take(pair);
  state.reads.add(pair);
}

/** Starts empty. Moves each pair at most five times in its life, whatever the length of the log. */
export function createLeaveQueue(host: LeaveQueueHost): LeaveQueue {
  const state = emptyQueue(host);
  return {
    ...carrying(state),
    add: (pair) => {
      add(state, pair);
    },
    advance: () => {
      advance(state);
    },
    outdate: (newer) => {
      outdate(state, newer);
    },
    restOn: (older) => {
      restOn(state, older);
    },
    takeWords: (text) => {
      state.rules.takeWords(text);
    },
    get candidates() {
      return state.candidates;
    },
    get held() {
      return [...pairsIn([state.parts], 'part'), ...leastNeeded(state)];
    },
    get heldTokens() {
      return state.heldTokens;
    },
    get leavingTokens() {
      return state.leavingTokens;
    },
    get firstSegment() {
      return state.firstSegment;
    },
    coldPairs: () => coldPairs(state),
    tailPairs: () =>
      [...pairsIn(Object.values(state.lanes), 'tail'), ...[...state.waiting.values()].flat()].sort(
        byIndex,
      ),
    goesInPart: (pair) => state.rules.goesInPart(pair),
    remove: (pairs, inPart = new Set()) => {
      remove(state, pairs, inPart);
    },
    get steps() {
      return state.steps;
    },
  };
}
