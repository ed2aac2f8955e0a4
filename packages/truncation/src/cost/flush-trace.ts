import type { Segment } from './prefix-trie.ts';
import type { CachePrice } from './prices.ts';

/** A run of segments of a log that leaves as one: a call with its results, or a message that always stays. */
export interface FlushPiece {
  readonly whole: readonly Segment[];
  /** What stands for it once it left. Left out: it never leaves. */
  readonly left?: readonly Segment[];
}

/** One request over the log as it stood then. */
export interface FlushRequest {
  /** ms, not before the request before. */
  readonly time: number;
  /** Pieces of the log that it holds: the first so many. */
  readonly pieces: number;
  /** Where a flush would reach: of the first so many pieces everything leaves that can. */
  readonly mayLeave: number;
  readonly outputTokens: number;
}

/** A session as far as the choice of flush times is concerned: what is sent, and what could have left when. */
export interface FlushTrace {
  readonly pieces: readonly FlushPiece[];
  readonly requests: readonly FlushRequest[];
  /** What a request may have, tokens. Default: no limit. */
  readonly limitTokens?: number;
}

/** Sums over a trace that make the price of each choice a matter of a few additions. */
export interface FlushSums {
  /** Tokens of the first `pieces` pieces when of the first `frontier` everything left. */
  length(pieces: number, frontier: number): number;
  /** Tokens at the front that stay the same when the frontier moves from one place to a later one. */
  kept(from: number, to: number): number;
  /** Tokens that leave when the frontier moves. */
  saved(from: number, to: number): number;
}

const sumTokens = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { tokens }) => sum + tokens, 0);

/** Tokens of the segments with which both begin. */
function sharedTokens(a: readonly Segment[], b: readonly Segment[]): number {
  const end = a.findIndex(({ id }, index) => b[index]?.id !== id);
  return sumTokens(end === -1 ? a : a.slice(0, end));
}

function changes({ whole, left }: FlushPiece): boolean {
  if (left === undefined) return false;
  return left.length !== whole.length || left.some(({ id }, index) => whole[index]?.id !== id);
}

/** Adds a trace up. Goes through its segments once. */
export function sumFlushTrace({ pieces }: FlushTrace): FlushSums {
  const wholes = [0];
  const saves = [0];
  for (const { whole, left } of pieces) {
    const tokens = sumTokens(whole);
    wholes.push((wholes.at(-1) ?? 0) + tokens);
    saves.push((saves.at(-1) ?? 0) + (left === undefined ? 0 : tokens - sumTokens(left)));
  }
  const nextLeaving = Array.from({ length: pieces.length + 1 }, () => pieces.length);
  for (let index = pieces.length - 1; index >= 0; index -= 1) {
    const piece = pieces[index];
    const leaves = piece !== undefined && changes(piece);
    nextLeaving[index] = leaves ? index : (nextLeaving[index + 1] ?? pieces.length);
  }
  const at = (sums: readonly number[], index: number): number => sums[index] ?? 0;
  return {
    length: (count, frontier) => at(wholes, count) - at(saves, frontier),
    saved: (from, to) => at(saves, to) - at(saves, from),
    kept: (from, to) => {
      const first = at(nextLeaving, from);
      if (first >= to) return Number.POSITIVE_INFINITY;
      const { whole = [], left = [] } = pieces[first] ?? {};
      return at(wholes, first) - at(saves, from) + sharedTokens(whole, left);
    },
  };
}

/** Whether nothing of the request before is cached any more at `index`. */
export function isColdRequest(
  requests: readonly FlushRequest[],
  index: number,
  { lifetimeMs }: Pick<CachePrice, 'lifetimeMs'>,
): boolean {
  const before = requests[index - 1];
  const now = requests[index];
  return before === undefined || now === undefined || now.time - before.time > lifetimeMs;
}
