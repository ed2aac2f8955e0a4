import type { ShownLine, ShownRead } from './read-lines.ts';

/** Says how likely a line is to be needed: the higher, the more. */
export type Predictor = (line: ShownLine) => number;

/** Passes over the lines. */
const passes = 12;
const rate = 0.3;

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));

const weigh = (weights: readonly number[], values: readonly number[]): number =>
  values.reduce((sum, value, at) => sum + value * (weights[at + 1] ?? 0), weights[0] ?? 0);

/**
 * Fits a logistic model by gradient steps over all lines; needed lines count as much as the others together. The same reads always give
 * the same predictor.
 */
export function fitPredictor(reads: readonly ShownRead[]): Predictor {
  const lines = reads.flatMap((read) => read.lines);
  const needed = lines.filter(({ isNeeded }) => isNeeded).length;
  const size = (lines[0]?.values.length ?? 0) + 1;
  const weights = new Array<number>(size).fill(0);
  const weightOf = (isNeeded: boolean): number =>
    0.5 / Math.max(1, isNeeded ? needed : lines.length - needed);
  for (let pass = 0; pass < passes * 50; pass += 1) {
    const slope = new Array<number>(size).fill(0);
    for (const { values, isNeeded } of lines) {
      const error = (sigmoid(weigh(weights, values)) - (isNeeded ? 1 : 0)) * weightOf(isNeeded);
      slope[0] = (slope[0] ?? 0) + error;
      values.forEach((value, at) => {
        slope[at + 1] = (slope[at + 1] ?? 0) + error * value;
      });
    }
    for (let at = 0; at < size; at += 1) {
      weights[at] = (weights[at] ?? 0) - rate * passes * (slope[at] ?? 0);
    }
  }
  return ({ values }) => weigh(weights, values);
}

/** Lines of a read speak for those around them, the less the further away they are. */
const reach = 6;

/** The places of the lines that would be shown of a read if only a share of its characters may be. */
export function shownBy(read: ShownRead, predictor: Predictor, share: number): Set<number> {
  const own = read.lines.map(predictor);
  const least = own.reduce((a, b) => Math.min(a, b), Infinity);
  const scores = own.map((_, at) => {
    let score = 0;
    for (let far = -reach; far <= reach; far += 1) {
      score += ((own[at + far] ?? least) - least) / (1 + Math.abs(far));
    }
    return score;
  });
  const order = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  let room = share * read.lines.reduce((sum, { characters }) => sum + characters, 0);
  const shown = new Set<number>();
  for (const at of order) {
    room -= read.lines[at]?.characters ?? 0;
    if (room < 0) break;
    shown.add(at);
  }
  return shown;
}
