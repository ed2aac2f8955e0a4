import { countOf, ordinalOf } from './field-index.ts';
import type { PostingRun } from './postings.ts';

/**
 * Looks documents up in a list of postings: how often the word stands in one, 0 where it does not.
 * Ask in rising order of ordinals.
 */
export type PostingSeeker = (ordinal: number) => number;

/** Starts at the head of a list. Costs one halving search over the runs and one within a run for each document asked for. */
export function seekPostings(runs: readonly PostingRun[]): PostingSeeker {
  let next = 0;
  return (ordinal) => {
    if (endsBefore(runs[next], ordinal)) next = firstRunFor(runs, next + 1, ordinal);
    const run = runs[next];
    return run === undefined ? 0 : countWithin(run, ordinal);
  };
}

/** Whether all of a run comes before the document. */
function endsBefore(run: PostingRun | undefined, ordinal: number): boolean {
  return run !== undefined && ordinalOf(run.cells[run.to - 1] ?? 0) < ordinal;
}

/** The first run from `from` on that does not end before the document. */
function firstRunFor(runs: readonly PostingRun[], from: number, ordinal: number): number {
  let low = from;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (endsBefore(runs[middle], ordinal)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function countWithin({ cells, from, to }: PostingRun, ordinal: number): number {
  let low = from;
  let high = to - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ordinalOf(cells[middle] ?? 0) < ordinal) low = middle + 1;
    else high = middle;
  }
  const posting = cells[low] ?? 0;
  return ordinalOf(posting) === ordinal ? countOf(posting) : 0;
}
