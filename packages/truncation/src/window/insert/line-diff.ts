/** Lines around a change that are shown with it. */
const contextLines = 2;

/** Most lines that may differ; beyond, a diff is no help. Bounds the cost to lines × this. */
const maxEdits = 400;

/** One line of a comparison. */
interface Step {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
  /** Line number in the new text, from 1; of a removed line, where it would stand. */
  readonly line: number;
}

interface Sides {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** How far equal lines go on from a place on a diagonal. */
function slide({ before, after }: Sides, start: number, diagonal: number): number {
  let x = start;
  while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) {
    x += 1;
  }
  return x;
}

/** Furthest reaching paths (Myers), one array for each number of edits; `undefined` where there are too many. */
function trace(sides: Sides): Int32Array[] | undefined {
  const { before, after } = sides;
  const most = Math.min(before.length + after.length, maxEdits);
  const middle = most + 1;
  const reach = new Int32Array(2 * most + 3);
  const at = (diagonal: number): number => reach[middle + diagonal] ?? 0;
  const traces: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    traces.push(reach.slice(middle - edits - 1, middle + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isDown = isInsertion(at, diagonal, edits);
      const x = slide(sides, isDown ? at(diagonal + 1) : at(diagonal - 1) + 1, diagonal);
      reach[middle + diagonal] = x;
      if (x >= before.length && x - diagonal >= after.length) return traces;
    }
  }
  return undefined;
}

/** Whether the path that reaches furthest on a diagonal comes from an inserted line, not from a removed one. */
function isInsertion(at: (diagonal: number) => number, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && at(diagonal - 1) < at(diagonal + 1);
}

/** Walks the traces back and gives the steps in order. */
function stepsOf({ before, after }: Sides, traces: readonly Int32Array[]): Step[] {
  const steps: Step[] = [];
  let x = before.length;
  let y = after.length;
  const walkEqual = (startX: number, startY: number): void => {
    while (x > startX && y > startY) {
      x -= 1;
      y -= 1;
      steps.push({ sign: ' ', text: after[y] ?? '', line: y + 1 });
    }
  };
  for (let edits = traces.length - 1; edits > 0; edits -= 1) {
    const reach = traces[edits] ?? new Int32Array(0);
    const at = (diagonal: number): number => reach[diagonal + edits + 1] ?? 0;
    const diagonal = x - y;
    const isDown = isInsertion(at, diagonal, edits);
    const startX = at(isDown ? diagonal + 1 : diagonal - 1);
    const startY = startX - (isDown ? diagonal + 1 : diagonal - 1);
    walkEqual(startX, startY);
    if (isDown) steps.push({ sign: '+', text: after[startY] ?? '', line: startY + 1 });
    else steps.push({ sign: '-', text: before[startX] ?? '', line: startY + 1 });
    x = startX;
    y = startY;
  }
  walkEqual(0, 0);
  return steps.reverse();
}

/** Index of each step that is shown: changes and the lines around them. */
function shownSteps(steps: readonly Step[]): boolean[] {
  const shown = steps.map(() => false);
  for (const [index, { sign }] of steps.entries()) {
    if (sign === ' ') continue;
    const end = Math.min(steps.length, index + contextLines + 1);
    for (let near = Math.max(0, index - contextLines); near < end; near += 1) shown[near] = true;
  }
  return shown;
}

/**
 * The difference between two lists of lines, as hunks with the line numbers of the new one; `undefined` where more than
 * 400 lines differ, '' where none does.
 * Pure; the old lines with the hunks give the new ones. Takes time in proportion to lines × changed lines.
 */
export function lineDiff(before: readonly string[], after: readonly string[]): string | undefined {
  const traces = trace({ before, after });
  if (traces === undefined) return undefined;
  const steps = stepsOf({ before, after }, traces);
  const shown = shownSteps(steps);
  const lines: string[] = [];
  for (const [index, { sign, text, line }] of steps.entries()) {
    if (shown[index] !== true) continue;
    if (shown[index - 1] !== true) lines.push(`@@ line ${String(line)} @@`);
    lines.push(sign + text);
  }
  return lines.join('\n');
}

/** Where the digits begin and end that read tools put in front of a line; `undefined` where there are none. */
function numberPlace(line: string): { readonly start: number; readonly end: number } | undefined {
  let start = 0;
  while (line.charAt(start) === ' ' && start < 12) start += 1;
  let end = start;
  while (end - start < 8 && line.charAt(end) >= '0' && line.charAt(end) <= '9') end += 1;
  const mark = line.charAt(end);
  return end > start && (mark === '→' || mark === '\t') ? { start, end } : undefined;
}

/** A line without the number that read tools put in front of it. */
export function withoutLineNumber(line: string): string {
  const place = numberPlace(line);
  return place === undefined ? line : line.slice(place.end + 1);
}

/** The number that read tools put in front of a line. */
export function lineNumberOf(line: string): string | undefined {
  const place = numberPlace(line);
  return place === undefined ? undefined : line.slice(place.start, place.end);
}
