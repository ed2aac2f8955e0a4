import { CtxError } from '@ctx/core';
import { numberedLines } from './memory-view.ts';

/** What an edit made of a text. */
export interface EditedText {
  readonly text: string;
  /** The changed place with the lines around it. */
  readonly snippet: string;
}

const maxQuoted = 200;
const maxPlaces = 20;
const linesAround = 2;

function placesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  let at = text.indexOf(wanted);
  while (at >= 0 && places.length <= maxPlaces) {
    places.push(at);
    at = text.indexOf(wanted, at + 1);
  }
  return places;
}

function lineAt(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < place; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  return line;
}

const quoted = (text: string): string =>
  text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text;

function snippetOf(text: string, first: number, count: number): string {
  const start = Math.max(1, first - linesAround);
  const lines = text.split('\n').slice(start - 1, first + count + linesAround - 1);
  return numberedLines(lines, start);
}

/**
 * Replaces the one place where `wanted` stands, over line ends too.
 * Pure; what stands in `replacement` is taken as it is.
 * @throws `CTX_INVALID_INPUT` where it stands nowhere or more than once, with the lines.
 */
export function replaceOnce(
  text: string,
  { path, wanted, replacement }: { path: string; wanted: string; replacement: string },
): EditedText {
  if (wanted === '') throw new CtxError('CTX_INVALID_INPUT', 'old_str must not be empty');
  const [place, ...others] = placesOf(text, wanted);
  if (place === undefined) {
    throw new CtxError(
      'CTX_INVALID_INPUT',
      `No replacement was performed, old_str \`${quoted(wanted)}\` did not appear verbatim in ${path}.`,
    );
  }
  if (others.length > 0) {
    const lines = new Set([place, ...others].map((each) => lineAt(text, each)));
    throw new CtxError(
      'CTX_INVALID_INPUT',
      `No replacement was performed. Multiple occurrences of old_str \`${quoted(wanted)}\` in lines: ${[...lines].join(', ')}. Please ensure it is unique`,
    );
  }
  const changed = `${text.slice(0, place)}${replacement}${text.slice(place + wanted.length)}`;
  const count = replacement.split('\n').length;
  return { text: changed, snippet: snippetOf(changed, lineAt(text, place), count) };
}

/**
 * Puts text after a line; 0 is the beginning.
 * @throws `CTX_INVALID_INPUT` where there is no such line.
 */
export function insertBehind(text: string, line: number, added: string): string {
  const lines = text.split('\n');
  if (!Number.isInteger(line) || line < 0 || line > lines.length) {
    throw new CtxError(
      'CTX_INVALID_INPUT',
      `Invalid \`insert_line\` parameter: ${String(line)}. It should be within the range of lines of the file: [0, ${String(lines.length)}]`,
    );
  }
  const plain = added.endsWith('\n') ? added.slice(0, -1) : added;
  return lines.toSpliced(line, 0, plain).join('\n');
}
