import type { TokenCounter } from '@ctx/core';
import type { Boundary } from './boundaries.ts';
import type { Contender } from './contenders.ts';
import { type Judge, type Measures, measureNames } from './measures.ts';

/** A boundary with its judge. */
export interface Case {
  readonly boundary: Boundary;
  readonly judge: Judge;
}

/** One contender over all boundaries. */
export interface Row {
  readonly name: string;
  readonly tokens: number;
  /** Means over the boundaries where a measure has something to hold. */
  readonly means: Measures;
  readonly each: readonly Measures[];
}

/** Judges each contender on each case; `maxTokens` may depend on the case. */
export function judgeAll(
  cases: readonly Case[],
  contenders: readonly Contender[],
  {
    countTokens,
    maxTokens,
  }: { countTokens: TokenCounter; maxTokens: (boundary: Boundary) => number },
): Row[] {
  return contenders.map(({ name, write }) => {
    const texts = cases.map(({ boundary }) =>
      write(boundary, { countTokens, maxTokens: maxTokens(boundary) }),
    );
    const each = cases.map(({ judge }, index) => judge(texts[index] ?? ''));
    const tokens = mean(texts.map((text) => countTokens(text)));
    return { name, tokens, means: meansOf(each), each };
  });
}

function meansOf(each: readonly Measures[]): Measures {
  const entries = measureNames.map((name) => [
    name,
    mean(each.map((measures) => measures[name]).filter((value) => !Number.isNaN(value))),
  ]);
  return Object.fromEntries(entries) as Measures; // The keys are the names of the measures.
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const columns = ['tokens', ...measureNames] as const;

/** Prints rows in per cent, and a line of goals where there is one. */
export function printRows(
  title: string,
  rows: readonly Row[],
  goals: Partial<Measures> = {},
): void {
  console.log(`\n${title}`);
  console.log(line('', columns));
  for (const { name, tokens, means } of rows) {
    const cells = measureNames.map((measure) => percent(means[measure]));
    console.log(line(name, [tokens.toFixed(0), ...cells]));
  }
  if (Object.keys(goals).length === 0) return;
  const cells = measureNames.map((measure) =>
    goals[measure] === undefined ? '' : percent(goals[measure]),
  );
  console.log(line('goal', ['', ...cells]));
}

export function line(name: string, cells: readonly string[]): string {
  return [name.padEnd(22), ...cells.map((cell) => cell.padStart(8))].join('');
}

export function percent(share: number): string {
  return Number.isNaN(share) ? '–' : (100 * share).toFixed(1);
}
