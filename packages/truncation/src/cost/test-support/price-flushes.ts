import { type CostTotal, createCostModel } from '../cost-model.ts';
import type { FlushPiece, FlushTrace } from '../flush-trace.ts';
import type { Segment } from '../prefix-trie.ts';
import type { CachePrice } from '../prices.ts';

function shownSegments({ whole, left }: FlushPiece, hasLeft: boolean): readonly Segment[] {
  return hasLeft && left !== undefined ? left : whole;
}

/** The segments of a request when of the first `frontier` pieces everything left. */
export function segmentsAt(trace: FlushTrace, pieces: number, frontier: number): Segment[] {
  return trace.pieces
    .slice(0, pieces)
    .flatMap((piece, index) => shownSegments(piece, index < frontier));
}

/**
 * Prices a trace with given flush times, request by request through the cost model.
 * Pure. Goes through the segments of all requests.
 */
export function priceFlushes(
  trace: FlushTrace,
  flushes: readonly number[],
  price: CachePrice,
): CostTotal {
  const model = createCostModel(price);
  const times = new Set(flushes);
  let frontier = 0;
  for (const [index, { time, pieces, mayLeave, outputTokens }] of trace.requests.entries()) {
    if (times.has(index)) frontier = Math.max(frontier, mayLeave);
    model.add({ lane: 'main', time, segments: segmentsAt(trace, pieces, frontier), outputTokens });
  }
  return model.total();
}
