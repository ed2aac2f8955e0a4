import { cutText } from '@ctx/core';

/** How much may be shown, characters. */
export interface Limits {
  /** What the work is probably about gets this much. */
  readonly wanted: number;
  /** Lines that must not be lost get this much. */
  readonly most: number;
}

/** Longest line that is shown whole, characters. */
const longestLine = 1000;

/** The line, or its beginning with the number of characters that are left out. */
export function cutLine(line: string, longest: number = longestLine): string {
  if (line.length <= longest) return line;
  const shown = cutText(line, { maxCharacters: longest });
  return `${shown}… [${String(line.length - shown.length)} more characters]`;
}

/** Room for a line that says which lines are left out, characters. */
const gapCharacters = 28;

function gapLine(from: number, to: number): string {
  const count = to - from;
  if (count === 1) return `[… line ${String(from + 1)} …]`;
  return `[… ${String(count)} lines: ${String(from + 1)}-${String(to)} …]`;
}

/** Lines that are chosen to be shown. */
export interface LineChoice {
  /** Adds a line and returns `true`, unless the limit is reached; what is chosen already costs nothing. */
  readonly add: (index: number, limit: number) => boolean;
  readonly has: (index: number) => boolean;
  readonly count: () => number;
  /** Characters of what is chosen. */
  readonly spent: () => number;
  /** The chosen lines in order; a line of its own says which ones are left out between them. */
  readonly show: (textOf?: (index: number) => string) => string;
}

/** Starts with no line chosen. */
export function chooseLines(lines: readonly string[]): LineChoice {
  const chosen = new Uint8Array(lines.length);
  let spent = 0;
  let count = 0;
  const costOf = (index: number): number => {
    const length = Math.min(lines[index]?.length ?? 0, longestLine + gapCharacters) + 1;
    const isJoined = chosen[index - 1] === 1 || chosen[index + 1] === 1;
    return isJoined ? length : length + gapCharacters;
  };
  return {
    add: (index, limit) => {
      if (index < 0 || index >= lines.length || chosen[index] === 1) return true;
      const cost = costOf(index);
      if (spent + cost > limit) return false;
      chosen[index] = 1;
      spent += cost;
      count += 1;
      return true;
    },
    has: (index) => chosen[index] === 1,
    count: () => count,
    spent: () => spent,
    show: (textOf = (index) => cutLine(lines[index] ?? '')) => showChosen(chosen, textOf),
  };
}

function showChosen(chosen: Uint8Array, textOf: (index: number) => string): string {
  const parts: string[] = [];
  let next = 0;
  for (let index = 0; index <= chosen.length; index += 1) {
    if (index < chosen.length && chosen[index] !== 1) continue;
    if (index > next) parts.push(gapLine(next, index));
    if (index < chosen.length) parts.push(textOf(index));
    next = index + 1;
  }
  return parts.join('\n');
}

/** Adds lines in order until one finds no room; returns how many found none. */
export function addLines(choice: LineChoice, indexes: readonly number[], limit: number): number {
  let lost = 0;
  for (const index of indexes) if (!choice.add(index, limit)) lost += 1;
  return lost;
}

/** Adds the lines around some lines while there is room, so many on each side. */
export function addAround(
  choice: LineChoice,
  indexes: readonly number[],
  { lines, limit }: { readonly lines: number; readonly limit: number },
): void {
  for (const index of indexes) {
    for (let at = index - lines; at <= index + lines; at += 1) {
      if (!choice.add(at, limit)) return;
    }
  }
}

/** Adds the first and the last lines. */
export function addEnds(
  choice: LineChoice,
  total: number,
  { first, last, limit }: { readonly first: number; readonly last: number; readonly limit: number },
): void {
  for (let index = 0; index < Math.min(first, total); index += 1) {
    if (!choice.add(index, limit)) break;
  }
  for (let index = total - 1; index >= Math.max(0, total - last); index -= 1) {
    if (!choice.add(index, limit)) return;
  }
}

/** "1 line", "3 lines". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${String(count)} ${count === 1 ? one : many}`;
}

/** What is left out of lines that are mostly alike. `lost`: those of them that had no room though they are unlike the others. */
export function alikeLeft(count: number, one: string, lost: number): string {
  const like = lost > 0 ? `, ${String(lost)} of them unlike the others` : ' that are like others';
  return counted(count, one) + like;
}
