import { addEnds, addLines, alikeLeft, chooseLines } from './choose-lines.ts';
import {
  type CompressDraft,
  type CompressInput,
  type Compressor,
  findWorkLines,
  shareOf,
  startOf,
} from './compressor.ts';
import { isLogLine } from './log-lines.ts';
import { findRareRows, rangesLine, valueOf } from './rare-rows.ts';

/** Fewest lines, and fewest columns, that are a table. */
const [minLines, minColumns] = [20, 3];

/** Splits a line of comma-separated values; a comma between quotes separates nothing. */
function splitQuoted(line: string, separator: string, quote = '"'): string[] {
  const cells: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at <= line.length; at += 1) {
    const sign = line.charAt(at);
    if (sign === quote) isQuoted = !isQuoted;
    if (at < line.length && (sign !== separator || isQuoted)) continue;
    cells.push(line.slice(from, at));
    from = at + 1;
  }
  return cells;
}

/** The ways in which tables separate their columns, the surest first. */
const splits: readonly ((line: string) => readonly string[])[] = [
  (line) => splitQuoted(line, '\t'),
  (line) => (line.startsWith('|') ? line.slice(1).replace(/\|$/, '') : line).split(/[|│]/),
  (line) => splitQuoted(line, ','),
  (line) => splitQuoted(line, ';'),
  (line) => line.trim().split(/ {2,}/),
];

/** A rule below the heads or at the ends of a table: no value is in it. */
const rule = /^[\s|+:=│┼├┤─-]+$/;

interface Table {
  readonly columns: readonly string[];
  readonly split: (line: string) => readonly string[];
  /** The line of the heads. */
  readonly head: number;
}

/** A row of a dump of SQL. */
const inserted = /^INSERT .*VALUES ?\(/i;

/** The table that most lines are rows of; `undefined` if they are none. */
function tableOf(lines: readonly string[]): Table | undefined {
  if (shareOf(lines, (line) => inserted.test(line)) >= 0.7) {
    const split = (line: string): string[] => splitQuoted(line, ',', "'");
    const row = split(startOf(lines.find((line) => inserted.test(line)) ?? ''));
    return { columns: row.map((_, at) => `#${String(at + 1)}`), split, head: -1 };
  }
  const head = lines.findIndex((line) => line.trim() !== '' && !rule.test(startOf(line)));
  for (const split of splits) {
    const columns = split(startOf(lines[head] ?? '')).map((name) => name.trim());
    if (columns.length < minColumns || new Set(columns).size < columns.length) continue;
    const isRow = (line: string): boolean =>
      rule.test(line) || split(line).length === columns.length;
    if (columns.every(isHead) && shareOf(lines, isRow) >= 0.9) return { columns, split, head };
  }
  return undefined;
}

/** Heads name columns: few words with a letter, and no end of a sentence or a statement. */
function isHead(name: string): boolean {
  return (
    name.length <= 60 &&
    name.split(' ').length <= 3 &&
    /[\p{L}%#]/u.test(name) &&
    !/[(){}[\]=;<>]|[.:]$/.test(name)
  );
}

function compressTable(input: CompressInput, table: Table): CompressDraft {
  const { lines, limits } = input;
  const { columns, split, head } = table;
  const choice = chooseLines(lines);
  addEnds(choice, lines.length, { first: head + 4, last: 3, limit: limits.most });
  const places: number[] = [];
  const values = new Map(columns.map((name): [string, string[]] => [name, []]));
  const others: number[] = [];
  for (const [index, whole] of lines.entries()) {
    const line = startOf(whole);
    if (index <= head || rule.test(line)) continue;
    const cells = split(line);
    if (cells.length !== columns.length) {
      others.push(index);
      continue;
    }
    places.push(index);
    for (const [at, cell] of cells.entries()) values.get(columns[at] ?? '')?.push(valueOf(cell));
  }
  const { indexes, ranges } = findRareRows(values, places.length);
  const rare = indexes.map((index) => places[index] ?? 0);
  const lost = addLines(choice, [...rare, ...others], limits.most);
  addLines(choice, findWorkLines(lines, input.isWorkWord), limits.wanted);
  const left = [alikeLeft(lines.length - choice.count(), 'row', lost)];
  return { body: [choice.show(), ...rangesLine(ranges)].join('\n'), left };
}

/** Tables of databases, of values separated by commas and of commands: the heads, every row that differs from the others, both ends. */
export const textTable: Compressor = {
  kind: 'table',
  matches: ({ lines }) =>
    lines.length >= minLines && shareOf(lines, isLogLine) < 0.5 && tableOf(lines) !== undefined,
  compress: (input) => {
    const table = tableOf(input.lines);
    return table && compressTable(input, table);
  },
};
