import type { FlushPiece, FlushRequest, FlushTrace } from '../cost/flush-trace.ts';

/** Numbers from 0 up to, but without, 1. The same seed gives the same numbers. Source: mulberry32, public domain. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A size around `median` with the long tail that tool results have. */
function logNormal(random: () => number, median: number, spread: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.max(10, Math.round(median * Math.exp(spread * normal)));
}

/** Pieces at the front behind which at least `tail` tokens stand. */
function outOfTail(pieces: readonly FlushPiece[], tail: number): number {
  let behind = 0;
  let count = pieces.length;
  for (let index = pieces.length - 1; index >= 0 && behind < tail; index -= 1) {
    behind += pieces[index]?.whole.reduce((sum, { tokens }) => sum + tokens, 0) ?? 0;
    count = index;
  }
  return behind < tail ? 0 : count;
}

/** How large the results of a session are, in the middle, tokens. */
export interface ResultSizes {
  readonly from: number;
  readonly to: number;
}

/**
 * A session of an agent as the cost model sees it: a prompt, and steps with a call, a result and some words each.
 * Source of the sizes: recorded sessions have medians of 20 to 470 tokens with a spread of 0.6 to 2 (standard deviation of
 * the logarithm) and 15 to 390 results; those here begin a little higher, so that something leaves at all.
 */
export function syntheticTrace(
  seed: number,
  { from, to }: ResultSizes = { from: 100, to: 800 },
): FlushTrace {
  const random = seededRandom(seed);
  const steps = 20 + Math.floor(random() * 380);
  const median = from * (to / from) ** random();
  const spread = 0.6 + random() * 1.2;
  const pauses = random() < 0.5 ? 0 : random() * 0.05;
  const burst = random() < 0.3;
  const pieces: FlushPiece[] = [
    { whole: [{ id: 'prompt', tokens: 2000 + Math.floor(random() * 15_000) }] },
  ];
  const requests: FlushRequest[] = [];
  let time = 0;
  for (let step = 0; step < steps; step += 1) {
    const isCold = random() < pauses;
    time += isCold ? 400_000 + random() * 3_000_000 : 2000 + random() * 40_000;
    const mayLeave = outOfTail(pieces, isCold ? 10_000 : 20_000);
    const words = logNormal(random, 120, 0.8);
    requests.push({ time, pieces: pieces.length, mayLeave, outputTokens: words });
    const swell = burst && Math.floor(step / 20) % 2 === 0 ? 4 : 1;
    const tokens = Math.min(20_000, logNormal(random, median * swell, spread));
    const id = String(step);
    pieces.push({ whole: [{ id: `words-${id}`, tokens: words }] });
    pieces.push({
      whole: [{ id: `result-${id}`, tokens: tokens + 60 }],
      left: [{ id: `line-${id}`, tokens: 40 }],
    });
  }
  return { pieces, requests };
}
