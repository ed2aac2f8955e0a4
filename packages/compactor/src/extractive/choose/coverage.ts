import type { Corpus, SourceLine } from '../lines/corpus.ts';

/** What the chosen text already holds. */
export interface Coverage {
  /** Records a text of the summary. Takes time linear in the text and quadratic in the literals of a line. */
  readonly cover: (text: string) => void;
  /** What a line would add: its literals, and pairs of literals, that nothing covers yet. */
  readonly gainOf: (line: Pick<SourceLine, 'literals'>) => number;
  readonly hasLiteral: (literal: number) => boolean;
}

/** Literals of a line that form pairs: the most valuable ones. */
const maxPaired = 20;

/** What the pairs of a line weigh beside its literals. Source: `npm run bench -- compaction`, November 2026; much the same from 1 to 4. */
const pairWeight = 2;

/** Lets the pairs of a line grow a little faster than its literals, not with their square. Source: as {@link pairWeight}. */
const pairDamping = 0.7;

/**
 * Tracks what the chosen text holds. The same calls give the same answers, and a gain never grows while texts are covered. A gain looks at
 * 20 literals squared at most.
 */
export function createCoverage({ values, literalsIn }: Corpus): Coverage {
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
    return gain / Math.max(1, all.length - 1) ** pairDamping;
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
