import { runInNewContext } from 'node:vm';
import { CtxError } from '@ctx/core';

/** A line that matches, and its number from 1. */
export interface FoundLine {
  readonly line: number;
  readonly text: string;
}

/** How long a pattern may look, ms. */
const limitMs = 2000;
/** Longest part of a line that is looked at, characters. */
const maxLine = 100_000;

/** Runs where the pattern can be stopped: some patterns need more than a lifetime on some lines. */
const script = `lines.flatMap((text, index) => pattern.test(text.slice(0, ${String(maxLine)})) ? [index] : [])`;

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch (cause) {
    throw new CtxError('CTX_INVALID_INPUT', 'the pattern is no regular expression', { cause });
  }
}

/**
 * The lines that match a regular expression. Throws: `CTX_INVALID_INPUT` for a pattern that is none, or that needs too long.
 */
export function grepLines(lines: readonly string[], pattern: string): FoundLine[] {
  const compiled = compile(pattern);
  let found: unknown;
  try {
    found = runInNewContext(script, { lines, pattern: compiled }, { timeout: limitMs });
  } catch (cause) {
    const message = `the pattern needs longer than ${String(limitMs)} ms; make it simpler`;
    throw new CtxError('CTX_INVALID_INPUT', message, { cause });
  }
  // The answer comes from another realm: numbers only are taken over.
  const indexes = Array.isArray(found) ? found.map(Number) : [];
  return indexes.map((index) => ({ line: index + 1, text: lines[index] ?? '' }));
}
