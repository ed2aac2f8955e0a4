import type { Pair } from '../log/segment.ts';

/** So many pairs after the tail are forgotten at once. */
const forgetFrom = 256;

/** Pairs of one kind in the order of the log, the newest of which are protected. */
export interface TailLane {
  add(pair: Pair): void;
  /** Gives what left the tail since the last time, oldest first. */
  leave(tokensAfter: (segment: number) => number): Pair[];
  /** Pairs in the tail, oldest first, up to the first that has fewer tokens after it. */
  olderThan(tokens: number, tokensAfter: (segment: number) => number): Pair[];
  readonly tail: readonly Pair[];
}

/** Starts empty; `tailTokens` is asked each time. Passes each pair once, and once more for each time it is asked for. */
export function createTailLane(tailTokens: () => number): TailLane {
  const pairs: Pair[] = [];
  let next = 0;
  return {
    add: (pair) => {
      pairs.push(pair);
    },
    leave: (tokensAfter) => {
      const first = next;
      const size = tailTokens();
      for (let pair = pairs[next]; pair !== undefined; pair = pairs[next]) {
        if (tokensAfter(pair.resultSegment) < size) break;
        next += 1;
      }
      const left = pairs.slice(first, next);
      if (next >= forgetFrom) {
        pairs.splice(0, next);
        next = 0;
      }
      return left;
    },
    olderThan: (tokens, tokensAfter) => {
      const found: Pair[] = [];
      for (let index = next; index < pairs.length; index += 1) {
        const pair = pairs[index];
        if (pair === undefined || tokensAfter(pair.resultSegment) < tokens) break;
        found.push(pair);
      }
      return found;
    },
    get tail() {
      return pairs.slice(next);
    },
  };
}
