import { CtxError } from '@ctx/core';
import { priceInput } from './cost-model.ts';
import { type FlushSums, type FlushTrace, isColdRequest, sumFlushTrace } from './flush-trace.ts';
import type { CachePrice } from './prices.ts';

/** The cheapest flush times of a trace, in hindsight. */
export interface OfflineOptimum {
  /** Requests (by place) before which everything leaves that may. */
  readonly flushes: readonly number[];
  /** Cost of the whole trace with them, input and output, UTE. */
  readonly ute: number;
  /** Requests over the limit that no choice could avoid. */
  readonly overLimit: number;
}

/** The cheapest way to a point at which nothing left since `flush`. */
interface Way {
  /** The request of the last flush; -1 for none. */
  readonly flush: number;
  readonly frontier: number;
  /** The way that it came from. */
  readonly before: Way | undefined;
  overLimit: number;
  ute: number;
}

const isBetter = (a: Way, b: Way): boolean =>
  a.overLimit === b.overLimit ? a.ute < b.ute : a.overLimit < b.overLimit;

interface Step {
  readonly trace: FlushTrace;
  readonly sums: FlushSums;
  readonly price: CachePrice;
  readonly index: number;
}

/** Adds what request `index` costs when the frontier stood at `way.frontier` and `alive` tokens may be cached. */
function addRequest({ trace, sums, price, index }: Step, way: Way, alive: number): Way {
  const request = trace.requests[index];
  if (request === undefined) return way;
  const { limitTokens = Number.POSITIVE_INFINITY } = trace;
  const length = sums.length(request.pieces, way.frontier);
  const cold = isColdRequest(trace.requests, index, price);
  const input = priceInput({ length, alive: cold ? 0 : Math.min(alive, length) }, price);
  const ute = way.ute + input + price.output * request.outputTokens;
  return { ...way, ute, overLimit: way.overLimit + (length > limitTokens ? 1 : 0) };
}

/** Tokens of the request before. */
function sentTokens({ trace, sums, index }: Step, { frontier }: Way): number {
  const before = trace.requests[index - 1];
  return before === undefined ? 0 : sums.length(before.pieces, frontier);
}

/** The cheapest way to flush now, out of all ways up to here. */
function bestFlush(step: Step, ways: readonly Way[]): Way | undefined {
  const frontier = step.trace.requests[step.index]?.mayLeave ?? 0;
  let best: Way | undefined;
  for (const before of ways) {
    const kept = step.sums.kept(before.frontier, frontier);
    if (frontier <= before.frontier || kept === Number.POSITIVE_INFINITY) continue;
    const start = { ...before, flush: step.index, frontier, before };
    const way = addRequest(step, start, Math.min(kept, sentTokens(step, before)));
    if (best === undefined || isBetter(way, best)) best = way;
  }
  return best;
}

function checkTrace({ pieces, requests }: FlushTrace): void {
  requests.forEach((request, index) => {
    const before = requests[index - 1];
    const grows = before === undefined || request.pieces >= before.pieces;
    const isInOrder = before === undefined || request.time >= before.time;
    const isInside = request.mayLeave <= request.pieces && request.pieces <= pieces.length;
    if (grows && isInOrder && isInside) return;
    const message = `request ${String(index)}: a log only grows, time goes on, and nothing leaves that is not there`;
    throw new CtxError('CTX_INVALID_OPTION', message);
  });
}

/**
 * Finds the flush times that would have cost least, had the future been known: dynamic programming over the time of the
 * last flush, since nothing else of the past has a bearing on what a request costs.
 * Exact under {@link createCostModel} for traces whose segments have ids of their own; requests over the limit are
 * avoided before cost is. The same trace gives the same times.
 * Takes time quadratic in the requests, a few additions each, and holds one way a request in memory.
 * @throws `CTX_INVALID_OPTION` for a log that shrinks.
 */
export function planOfflineFlushes(trace: FlushTrace, price: CachePrice): OfflineOptimum {
  checkTrace(trace);
  const sums = sumFlushTrace(trace);
  let ways: Way[] = [{ flush: -1, frontier: 0, before: undefined, overLimit: 0, ute: 0 }];
  for (const index of trace.requests.keys()) {
    const step = { trace, sums, price, index };
    const flushed = bestFlush(step, ways);
    // Without a flush, what the request before held is the beginning of this one.
    ways = ways.map((way) => addRequest(step, way, sentTokens(step, way)));
    if (flushed !== undefined) ways.push(flushed);
  }
  const best = ways.reduce((least, way) => (isBetter(way, least) ? way : least));
  const flushes: number[] = [];
  for (let way: Way | undefined = best; way !== undefined && way.flush >= 0; way = way.before) {
    flushes.unshift(way.flush);
  }
  return { flushes, ute: best.ute, overLimit: best.overLimit };
}
