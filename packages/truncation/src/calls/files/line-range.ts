/** Lines of a file, from 1, both ends inclusive; `last` is infinite where the range goes to the end. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** The whole file. */
export const wholeFile: LineRange = { first: 1, last: Number.POSITIVE_INFINITY };

/** The ranges of one file that are in view, to be asked whether one of them covers another. */
export interface LineCoverage {
  /** Whether one range covers all of `range`. */
  covers(range: LineRange): boolean;
  add(range: LineRange): void;
}

/**
 * Starts with nothing covered.
 * Makes one search for each question, logarithmic in the ranges of which none covers another.
 */
export function createLineCoverage(): LineCoverage {
  /** None covers another; so both ends rise. */
  const ranges: LineRange[] = [];

  /** Index after the last range that begins at or before `first`. */
  const endOfThose = (first: number): number => {
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranges[middle]?.first ?? 0) <= first) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const covers = (range: LineRange): boolean =>
    (ranges[endOfThose(range.first) - 1]?.last ?? 0) >= range.last;
  const add = (range: LineRange): void => {
    if (covers(range)) return;
    let start = endOfThose(range.first);
    if (ranges[start - 1]?.first === range.first) start -= 1;
    let end = start;
    while (end < ranges.length && (ranges[end]?.last ?? 0) <= range.last) end += 1;
    ranges.splice(start, end - start, range);
  };
  return { covers, add };
}
