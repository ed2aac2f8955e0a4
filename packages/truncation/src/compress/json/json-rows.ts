import { addEnds, addLines, alikeLeft, chooseLines, counted, cutLine } from '../choose-lines.ts';
import {
  type CompressDraft,
  type CompressInput,
  type Compressor,
  findWorkLines,
  startOf,
} from '../compressor.ts';
import { columnsOf, findRareRows, type Row, rangesLine } from '../rare-rows.ts';
import { findLargest } from './json-largest.ts';
import { compactJson, isJson, type JsonSpan, membersOf } from './json-scan.ts';
import { shortString } from './json-strings.ts';

/** Fewest rows that are a table. */
const minRows = 8;

/** A list of objects in a JSON text. */
interface Rows {
  readonly text: string;
  /** Its place as a path, `$` for the whole. */
  readonly path: string;
  readonly spans: readonly JsonSpan[];
  /** What stands beside the list, as JSON that parses, with `[]` for the rows; absent if the list is all there is. */
  readonly frame?: string;
}

function isObjectAt(text: string, { from }: JsonSpan): boolean {
  return text.charAt(from) === '{';
}

function rowsAt(text: string, from: number): JsonSpan[] | undefined {
  if (text.charAt(from) !== '[') return undefined;
  const spans = membersOf(text, from);
  return spans.length >= minRows && spans.every((span) => isObjectAt(text, span))
    ? spans
    : undefined;
}

function findRows(text: string): Rows | undefined {
  const largest = findLargest(text, (from) => rowsAt(text, from));
  if (largest === undefined) return undefined;
  const { found: spans, path, around } = largest;
  return { text, path, spans, ...(around && { frame: `${around.before}[]${around.after}` }) };
}

/** Lines that are each an object of JSON. */
function findLines(text: string): Rows | undefined {
  const spans: JsonSpan[] = [];
  let from = 0;
  for (const line of text.split('\n')) {
    const to = from + line.length;
    if (line.trim() !== '') {
      if (!line.startsWith('{') || !isJson(line)) return undefined;
      spans.push({ from, to: from + line.trimEnd().length });
    }
    from = to + 1;
  }
  return spans.length >= minRows ? { text, path: 'lines', spans } : undefined;
}

function rowsOf(text: string): Rows | undefined {
  const first = startOf(text).trimStart().charAt(0);
  if (first !== '[' && first !== '{') return undefined;
  return isJson(text) ? findRows(text) : findLines(text);
}

function rowOf(text: string, { from }: JsonSpan): Row {
  return new Map(membersOf(text, from).map((one) => [one.key, text.slice(one.from, one.to)]));
}

/** How deep rows are looked into for values that deviate, and elements of a list that are looked at. */
const [maxDepth, maxElements] = [4, 8];

function isNested(value: string): boolean {
  return value.startsWith('{') || value.startsWith('[');
}

/** The values of a row at any depth, by their paths: what is rare may stand in an object of its own. */
function leavesOf(row: Row): Row {
  if (![...row.values()].some(isNested)) return row;
  const leaves = new Map<string, string>();
  const add = (path: string, value: string, depth: number): void => {
    if (depth === maxDepth || !isNested(value)) {
      leaves.set(path, value);
      return;
    }
    const isList = value.startsWith('[');
    const members = membersOf(value, 0).slice(0, isList ? maxElements : undefined);
    for (const [at, { key, from, to }] of members.entries()) {
      add(`${path}.${isList ? `[${String(at)}]` : key}`, value.slice(from, to), depth + 1);
    }
  };
  for (const [key, value] of row) add(key, value, 1);
  return leaves;
}

/** The columns that most rows have, in the order of the first that has them all. */
function usualColumns(rows: readonly Row[]): readonly string[] {
  const shapes = new Map<string, { readonly keys: string[]; times: number }>();
  for (const row of rows) {
    const keys = [...row.keys()];
    const shape = keys.join(',');
    const known = shapes.get(shape) ?? { keys, times: 0 };
    known.times += 1;
    shapes.set(shape, known);
  }
  const [most] = [...shapes.values()].sort((a, b) => b.times - a.times);
  return most?.keys ?? [];
}

/** Longest value besides a string that is shown whole, characters. */
const longestValue = 1200;

function shownValue(value: string): string {
  if (value.startsWith('"')) return shortString(value);
  return cutLine(compactJson(value, { from: 0, to: value.length }), longestValue);
}

/** A row as one line: the values alone where it has the usual columns, else the object. */
function lineOf(columns: readonly string[], row: Row): string {
  const keys = [...row.keys()];
  const isUsual = keys.length === columns.length && keys.every((key, at) => key === columns[at]);
  const values = [...row].map(([key, value]) => {
    const shown = shownValue(value);
    return isUsual ? shown : `${key}:${shown}`;
  });
  return isUsual ? `[${values.join(',')}]` : `{${values.join(',')}}`;
}

function gap(from: number, to: number): string {
  return to - from === 1
    ? `[… row ${String(from)} …]`
    : `[… ${String(to - from)} rows: ${String(from)}-${String(to - 1)} …]`;
}

function showRows(lines: readonly string[], has: (index: number) => boolean): string[] {
  const parts: string[] = [];
  let next = 0;
  for (let index = 0; index <= lines.length; index += 1) {
    if (index < lines.length && !has(index)) continue;
    if (index > next) parts.push(gap(next, index));
    if (index < lines.length) parts.push(`${String(index)} ${lines[index] ?? ''}`);
    next = index + 1;
  }
  return parts;
}

function draft(input: CompressInput, rows: readonly Row[], found: Rows): CompressDraft {
  const { wanted, most } = input.limits;
  const columns = usualColumns(rows);
  const { indexes, ranges } = findRareRows(columnsOf(rows.map(leavesOf)), rows.length);
  const lines = rows.map((row) => lineOf(columns, row));
  const choice = chooseLines(lines);
  const lost = addLines(choice, indexes, most);
  addEnds(choice, rows.length, { first: 3, last: 2, limit: most });
  addLines(choice, findWorkLines(lines, input.isWorkWord), wanted);
  const leftOut = rows.length - choice.count();
  const body = [
    `no JSON, but a table: ${counted(rows.length, 'row')} of ${found.path}, numbered from 0; values as they stand there`,
    ...(found.frame === undefined ? [] : [`around it: ${cutLine(found.frame, 2000)}`]),
    `columns: [${columns.join(',')}]`,
    ...rangesLine(ranges),
    ...showRows(lines, choice.has),
  ].join('\n');
  return { body, left: leftOut > 0 ? [alikeLeft(leftOut, 'row', lost)] : [] };
}

/** Lists of objects in JSON, and lines of JSON: a table of the rows that differ from the others, the first three and the last two. */
export const jsonRows: Compressor = {
  kind: 'JSON rows',
  matches: ({ text }) => {
    const start = startOf(text).trimStart();
    return start.startsWith('[') || start.startsWith('{');
  },
  compress: (input) => {
    const found = rowsOf(input.text);
    if (found === undefined) return undefined;
    const rows = found.spans.map((span) => rowOf(found.text, span));
    return draft(input, rows, found);
  },
};
