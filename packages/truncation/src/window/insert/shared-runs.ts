/** A run of lines of a text that another one has, too: from `start` up to, but without, `end`. */
export interface SharedRun {
  readonly start: number;
  readonly end: number;
}

/** Shorter runs are shown: a word about them would be as long, lines. */
const minRun = 10;

/** Where each line stands that stands there once; -1 for those that come again. */
function placesOf(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [index, line] of lines.entries()) places.set(line, places.has(line) ? -1 : index);
  return places;
}

/** By how many lines one text is shifted against the other, as most of the lines say that both have once. */
function shiftOf(before: readonly string[], after: readonly string[]): number | undefined {
  const places = placesOf(before);
  const votes = new Map<number, number>();
  let best: number | undefined;
  for (const [line, index] of placesOf(after)) {
    const place = places.get(line) ?? -1;
    if (place < 0 || index < 0) continue;
    const shift = index - place;
    const count = (votes.get(shift) ?? 0) + 1;
    votes.set(shift, count);
    if (best === undefined || count > (votes.get(best) ?? 0)) best = shift;
  }
  return best;
}

/**
 * The runs of lines of `after` that stand in `before` in the same order and at the same distance, as where two reads of one
 * file overlap. Runs of fewer than ten lines are left out.
 * Pure; line for line equal. Takes linear time.
 */
export function sharedRuns(before: readonly string[], after: readonly string[]): SharedRun[] {
  const shift = shiftOf(before, after);
  if (shift === undefined) return [];
  const runs: SharedRun[] = [];
  let start = 0;
  for (let index = 0; index <= after.length; index += 1) {
    if (index < after.length && after[index] === before[index - shift]) continue;
    if (index - start >= minRun) runs.push({ start, end: index });
    start = index + 1;
  }
  return runs;
}
