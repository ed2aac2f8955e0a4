import { CtxError, cutText } from '@ctx/core';

/** Which part of a text to read. Each default stands in {@link defaultReadLimits}. */
export interface ReadLinesOptions {
  /** First line, from 1. Default 1. */
  readonly from?: number;
  /** Last line, inclusive. Default: the last one there is. */
  readonly to?: number;
  /** Most characters of the answer. Default 16,000. */
  readonly maxCharacters?: number;
  /** Longer lines are broken into rows of so many characters. Default 2,000. */
  readonly wrapAt?: number;
}

export interface ReadLinesAnswer {
  /** The lines, long ones wrapped, with no line break at the end. */
  readonly text: string;
  /** First line given. */
  readonly from: number;
  /** Last line given, in whole or in part; `from - 1` where there is none. */
  readonly to: number;
  readonly totalLines: number;
  /** Where to read on; missing where nothing of the range is left. */
  readonly nextLine?: number;
  /** The characters of the line that is left, for `readCharacters`; only if that line alone is longer than the answer may be. */
  readonly rest?: string;
}

/** The only place where these numbers stand. */
export const defaultReadLimits: { readonly maxCharacters: number; readonly wrapAt: number } = {
  maxCharacters: 16_000,
  wrapAt: 2_000,
};

/**
 * Reads lines of a text, never more than fits the answer: reading back must not flood the window again. Pages joined by `nextLine` give all
 * lines; what is left of a line that alone is too long is named by `rest`. A line break at the end begins no further line. Takes time
 * linear in the text.
 * @throws `CTX_INVALID_INPUT`.
 */
export function readLines(text: string, options: ReadLinesOptions = {}): ReadLinesAnswer {
  const limits = { ...defaultReadLimits, ...options };
  checkPositive('maxCharacters', limits.maxCharacters);
  checkPositive('wrapAt', limits.wrapAt);
  const lines = splitLines(text);
  const from = checkPositive('from', limits.from ?? 1);
  const last = Math.min(lines.length, checkPositive('to', limits.to ?? (lines.length || 1)));
  const { rows, shown } = takeRows(lines.slice(from - 1, last), limits);
  const to = from - 1 + rows.length;
  return {
    ...{ text: rows.join('\n'), from, to, totalLines: lines.length },
    ...(to < last ? { nextLine: to + 1 } : {}),
    ...(shown === undefined ? {} : { rest: restOfLine(text, from, shown) }),
  };
}

interface RowLimits {
  readonly maxCharacters: number;
  readonly wrapAt: number;
}

/** Where a line begins in the text, counted from 0. The line must exist. */
export function startOfLine(text: string, line: number): number {
  let start = 0;
  for (let passed = 1; passed < line; passed += 1) start = text.indexOf('\n', start) + 1;
  return start;
}

/** The characters of line `from` after the first `shown`. */
function restOfLine(text: string, from: number, shown: number): string {
  const start = startOfLine(text, from);
  const end = text.indexOf('\n', start);
  return `${String(start + shown + 1)}-${String(end === -1 ? text.length : end)}`;
}

interface TakenRows {
  readonly rows: readonly string[];
  /** How many characters of the line are in its row, if that is cut. */
  readonly shown?: number;
}

/** Takes lines as long as they fit; the first one always, cut if need be. */
function takeRows(lines: readonly string[], limits: RowLimits): TakenRows {
  const { maxCharacters } = limits;
  const rows: string[] = [];
  let used = -1;
  for (const line of lines) {
    const row = wrapLine(line, limits);
    used += row.length + 1;
    if (used <= maxCharacters) rows.push(row);
    else if (rows.length > 0) break;
    else {
      const cut = cutText(row, { maxCharacters });
      return { rows: [cut], shown: cut.replaceAll('\n', '').length };
    }
  }
  return { rows };
}

/** Splits at `\n` and `\r\n`. An empty text has no line. */
export function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (text.endsWith('\n')) lines.pop();
  return lines;
}

/** Breaks a long line into rows, not more of them than an answer can hold. */
function wrapLine(line: string, { maxCharacters, wrapAt }: RowLimits): string {
  if (line.length <= wrapAt) return line;
  const rows: string[] = [];
  let at = 0;
  // One row more than fits, so that the caller sees that the line is too long.
  while (at < line.length && at <= maxCharacters) {
    const window = line.slice(at, at + wrapAt + 1);
    const row = cutText(window, { maxCharacters: wrapAt }) || window.slice(0, wrapAt);
    rows.push(row);
    at += row.length;
  }
  return rows.join('\n');
}

/** Checks that an option is a whole number from 1 up. */
export function checkPositive(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new CtxError(
    'CTX_INVALID_ADDRESS',
    `${name} must be a whole number from 1 up, not ${String(value)}`,
  );
}
