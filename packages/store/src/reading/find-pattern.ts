import { cutText } from '@ctx/core';
import { compilePattern } from './linear-pattern.ts';
import { checkPositive, splitLines, startOfLine } from './read-lines.ts';

/** What to look for. Each default stands in {@link defaultFindLimits}. */
export interface FindPatternOptions {
  readonly pattern: string;
  /** Whether `pattern` is a regular expression (of the subset of `compilePattern`). Default false: literal text. */
  readonly regex?: boolean;
  /** Default false. */
  readonly ignoreCase?: boolean;
  /** Lines shown before and after each match. Default 2, at most 20. */
  readonly contextLines?: number;
  /** Most matches of an answer. Default 50. */
  readonly limit?: number;
  /** Only matches after this line. Default 0. */
  readonly after?: number;
  /** Most characters of an answer, all lines together. Default 16,000. */
  readonly maxCharacters?: number;
}

export interface PatternMatch {
  /** From 1. */
  readonly line: number;
  /** The line, or 500 characters of it around the match. */
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Where the match begins in the whole text, from 1, for `readCharacters`; only if the line is not shown whole. */
  readonly character?: number;
  /** Where the line matches again past what is shown of it, the first 20 places; missing if it does not. */
  readonly again?: readonly number[];
}

export interface FindPatternAnswer {
  readonly matches: readonly PatternMatch[];
  /** Matching lines in the whole text, before `after` too. */
  readonly totalMatches: number;
  /** Give this as `after` to read on; missing where there is no more. */
  readonly nextAfter?: number;
}

/** The only place where these numbers stand. */
export const defaultFindLimits: {
  readonly contextLines: number;
  readonly limit: number;
  readonly maxCharacters: number;
} = { contextLines: 2, limit: 50, maxCharacters: 16_000 };

const maxContextLines = 20;
/** How much of a line is shown, and how much of that stands before the match. */
const shownCharacters = 500;
const shownBefore = 100;
/** How many further places of a match in one long line are named. */
const mostAgain = 20;

/**
 * Finds the lines of a text that hold a pattern, with the lines around them.
 * Linear in the text also for a hostile pattern; pages joined by `nextAfter` give every match once.
 * @throws `CTX_INVALID_INPUT` for an empty pattern or one that is not understood.
 */
export function findPattern(text: string, options: FindPatternOptions): FindPatternAnswer {
  const { limit, maxCharacters, contextLines } = { ...defaultFindLimits, ...options };
  checkPositive('limit', limit);
  checkPositive('maxCharacters', maxCharacters);
  checkPositive('the length of pattern', options.pattern.length);
  const around = Math.max(0, Math.min(maxContextLines, contextLines));
  const lines = splitLines(text);
  const search = searcherOf(options);
  const hits = findHits(lines, search);
  const due = hits.filter((hit) => hit.line > (options.after ?? 0));
  const matches: PatternMatch[] = [];
  let used = 0;
  for (const hit of due.slice(0, limit)) {
    const match = { ...showHit(lines, hit, around), ...placesOf(text, lines, { hit, search }) };
    used += sizeOf(match);
    if (used > maxCharacters && matches.length > 0) break;
    matches.push(used > maxCharacters ? shorten(match, maxCharacters) : match);
  }
  const last = matches.at(-1);
  const answer = { matches, totalMatches: hits.length };
  return last && matches.length < due.length ? { ...answer, nextAfter: last.line } : answer;
}

interface Hit {
  readonly line: number;
  readonly column: number;
}

type Search = (line: string, from?: number) => number;

function searcherOf(options: FindPatternOptions): Search {
  const { pattern, ignoreCase = false } = options;
  if (options.regex === true) {
    const compiled = compilePattern(pattern, ignoreCase);
    return (line, from) => compiled.search(line, from);
  }
  if (!ignoreCase) return (line, from) => line.indexOf(pattern, from);
  const lower = pattern.toLowerCase();
  return (line, from) => line.toLowerCase().indexOf(lower, from);
}

function findHits(lines: readonly string[], search: Search): Hit[] {
  const hits: Hit[] = [];
  for (const [index, line] of lines.entries()) {
    const column = search(line);
    if (column !== -1) hits.push({ line: index + 1, column });
  }
  return hits;
}

function showHit(lines: readonly string[], hit: Hit, around: number): PatternMatch {
  const index = hit.line - 1;
  const show = (line: string): string => showLine(line, 0);
  return {
    line: hit.line,
    text: showLine(lines[index] ?? '', hit.column),
    before: lines.slice(Math.max(0, index - around), index).map(show),
    after: lines.slice(index + 1, index + 1 + around).map(show),
  };
}

/** Where a match in a long line stands in the whole text, and where else that line matches. */
function placesOf(
  text: string,
  lines: readonly string[],
  { hit, search }: { readonly hit: Hit; readonly search: Search },
): Pick<PatternMatch, 'character' | 'again'> {
  const line = lines[hit.line - 1] ?? '';
  if (line.length <= shownCharacters) return {};
  const start = startOfLine(text, hit.line);
  const again: number[] = [];
  let column = search(line, shownFrom(line, hit.column) + shownCharacters);
  while (column !== -1 && again.length < mostAgain) {
    again.push(start + column + 1);
    column = search(line, column + shownCharacters);
  }
  return { character: start + hit.column + 1, ...(again.length === 0 ? {} : { again }) };
}

/** Where the shown part of a long line begins. */
function shownFrom(line: string, column: number): number {
  return Math.max(0, Math.min(column - shownBefore, line.length - shownCharacters));
}

function showLine(line: string, column: number): string {
  if (line.length <= shownCharacters) return line;
  const start = shownFrom(line, column);
  const shown = cutText(line.slice(start), { maxCharacters: shownCharacters });
  const isEnd = start + shown.length === line.length;
  return `${start > 0 ? '…' : ''}${shown}${isEnd ? '' : '…'}`;
}

function sizeOf(match: PatternMatch): number {
  return [match.text, ...match.before, ...match.after].reduce(
    (sum, line) => sum + line.length + 1,
    0,
  );
}

/** A first match that alone is too big stands without the lines around it. */
function shorten(match: PatternMatch, maxCharacters: number): PatternMatch {
  return { ...match, text: cutText(match.text, { maxCharacters }), before: [], after: [] };
}
