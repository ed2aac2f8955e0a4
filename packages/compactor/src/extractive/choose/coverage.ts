import type { Corpus, SourceLine } from '../lines/corpus.ts';

/** What the chosen text already holds. */
export interface Coverage {
  /** Takes note of a text that stands in the summary. Cost: linear in the text, quadratic in the literals of a line. */
  readonly cover: (text: string) => void;
  /** What a line would add: its literals, and pairs of literals, that nothing covers yet. */
  readonly gainOf: (line: SourceLine) => number;
  readonly hasLiteral: (literal: number) => boolean;
}

/** Literals of a line that form pairs: the most valuable ones. */
const maxPaired = 12;

/**
 * `pairWeight` is what the pairs of a line weigh beside its literals.
 * Contract: deterministic; a gain never grows while texts are covered. Cost of a gain: at most 12 literals squared.
 */
export function createCoverage({ values, literalsIn }: Corpus, pairWeight: number): Coverage {
  const literals = new Uint8Array(values.length);
  const pairs = new Set<number>();
  const valueOf = (literal: number): number => values[literal] ?? 0;
  const keyOf = (a: number, b: number): number =>
    a < b ? a * values.length + b : b * values.length + a;
  const strongest = (all: readonly number[]): readonly number[] =>
    all.length <= maxPaired
      ? all
      : all.toSorted((a, b) => valueOf(b) - valueOf(a) || a - b).slice(0, maxPaired);
  const coverLine = (line: string): void => {
    const found = literalsIn(line);
    for (const literal of found) literals[literal] = 1;
    eachPair(found, (a, b) => pairs.add(keyOf(a, b)));
  };
  const pairGain = (all: readonly number[]): number => {
    let gain = 0;
    eachPair(all, (a, b) => {
      if (!pairs.has(keyOf(a, b))) gain += Math.sqrt(valueOf(a) * valueOf(b));
    });
    // The share keeps the pairs of a long line from growing with the square of its length.
    return gain / Math.max(1, all.length - 1);
  };
  return {
    cover: (text) => {
      text.split('\n').forEach(coverLine);
    },
    gainOf: (line) => {
      let gain = 0;
      for (const literal of line.literals) if (literals[literal] !== 1) gain += valueOf(literal);
      return gain + pairWeight * pairGain(strongest(line.literals));
    },
    hasLiteral: (literal) => literals[literal] === 1,
  };
}

function eachPair(all: readonly number[], visit: (a: number, b: number) => void): void {
  for (let first = 0; first < all.length; first += 1) {
    for (let second = first + 1; second < all.length; second += 1) {
      visit(all[first] ?? 0, all[second] ?? 0);
    }
  }
}
