import { CtxError } from '@ctx/core';
import { defaultReadLimits } from './read-lines.ts';

export interface ReadCharactersAnswer {
  readonly text: string;
  /** First character given, from 1, in UTF-16 code units as `text.length` counts. */
  readonly from: number;
  /** Last character given; `from - 1` if the text is empty. */
  readonly to: number;
  readonly totalCharacters: number;
  /** The range to go on with, such as `12001-24000`; missing if nothing of what was asked for is left. */
  readonly rest?: string;
}

/**
 * Reads a range of characters exactly as they are stored: `12001-24000`, `12001-` or `12001`. Pages joined by `rest` give every
 * character, however long its line is; a surrogate pair is never parted.
 * @throws `CTX_INVALID_ADDRESS` for a range that is none, or that begins past the end.
 */
export function readCharacters(
  text: string,
  range: string,
  maxCharacters: number = defaultReadLimits.maxCharacters,
): ReadCharactersAnswer {
  const total = text.length;
  const asked = parseRange(range);
  if (asked.from > Math.max(1, total)) {
    throw new CtxError(
      'CTX_INVALID_ADDRESS',
      `the text has ${String(total)} characters, ${String(asked.from)} is past its end`,
    );
  }
  const start = partsPair(text, asked.from - 1) ? asked.from - 2 : asked.from - 1;
  const last = Math.min(total, asked.to);
  const end = wholeEnd(text, start, Math.min(last, start + maxCharacters));
  const answer = { text: text.slice(start, end), from: start + 1, to: end, totalCharacters: total };
  return end < last ? { ...answer, rest: `${String(end + 1)}-${String(last)}` } : answer;
}

function parseRange(range: string): { from: number; to: number } {
  const [first = '', last, ...more] = range.trim().split('-');
  const from = wholeNumber(first);
  const to = last === '' ? Number.MAX_SAFE_INTEGER : last === undefined ? from : wholeNumber(last);
  if (more.length === 0 && from >= 1 && to >= from) return { from, to };
  throw new CtxError(
    'CTX_INVALID_ADDRESS',
    `characters must look like 1-12000, 12001- or 12001 and count from 1, got ${JSON.stringify(range.slice(0, 50))}`,
  );
}

function wholeNumber(text: string): number {
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

/** Whether a cut at `index` would part a surrogate pair. */
function partsPair(text: string, index: number): boolean {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff;
}

function wholeEnd(text: string, start: number, end: number): number {
  if (!partsPair(text, end)) return end;
  return end - 1 > start ? end - 1 : end + 1;
}
