import { cutLine } from './choose-lines.ts';
import { linesNaming } from './trouble.ts';

/** A row of a table: its values by column, as they stand in the text. */
export type Row = ReadonlyMap<string, string>;

/** A value as rows of JSON hold it: what is no number stands between quotes. */
export function valueOf(cell: string): string {
  const value = cell.trim();
  return /^-?\d+(?:\.\d+)?$/.test(value) ? value : `"${value}"`;
}

/** How often each value of a column occurs. */
type Counts = ReadonlyMap<string, number>;

const numeric = /^-?\d/;

function typeOf(value: string): string {
  const first = value.charAt(0);
  return numeric.test(value) ? 'number' : '"{['.includes(first) ? first : value;
}

function count(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function countTypes(counts: Counts): Counts {
  const types = new Map<string, number>();
  for (const [value, times] of counts) {
    const type = typeOf(value);
    types.set(type, (types.get(type) ?? 0) + times);
  }
  return types;
}

/**
 * Values of a column that deviate: much rarer than an even share where there are few different ones, or any that at most a tenth of
 * the rows have where one value dominates.
 */
function rareValues(counts: Counts, total: number): Set<string> {
  const isClosed = counts.size <= Math.max(8, total / 10);
  const even = total / counts.size;
  const most = Math.max(0, ...[...counts.values()].slice(0, 5000));
  const rare = new Set<string>();
  for (const [value, times] of counts) {
    const isFarBelow = isClosed && times * 3 <= even;
    const isDeviation = most * 2 >= total && times * 10 <= total;
    if (isFarBelow || isDeviation) rare.add(value);
  }
  return rare;
}

/** Numbers far from the others by the quartiles; none if these are many. `sorted`: the numbers in ascending order. */
function outliersOf(sorted: Float64Array): (number: number) => boolean {
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  const spread = 3 * Math.max(at(0.75) - at(0.25), Math.abs(at(0.5)) * 0.1);
  const low = at(0.25) - spread;
  const high = at(0.75) + spread;
  const isFar = (number: number): boolean => number < low || number > high;
  const far = sorted.reduce((sum, number) => sum + Number(isFar(number)), 0);
  return far * 10 <= sorted.length ? isFar : () => false;
}

/** A column of numbers, smallest and largest as they stand in the text. */
export interface NumberRange {
  readonly column: string;
  readonly min: string;
  readonly max: string;
}

interface ColumnFacts {
  readonly rare: ReadonlySet<string>;
  readonly range?: NumberRange;
}

function factsOf(column: string, values: readonly string[]): ColumnFacts {
  const counts = count(values);
  const rare = rareValues(counts, values.length);
  const rareTypes = rareValues(countTypes(counts), values.length);
  if (rareTypes.size > 0) {
    for (const value of counts.keys()) if (rareTypes.has(typeOf(value))) rare.add(value);
  }
  const texts = values.filter((value) => numeric.test(value));
  if (texts.length * 2 < values.length) return { rare };
  const numbers = Float64Array.from(texts, Number);
  const sorted = numbers.toSorted();
  const isFar = outliersOf(sorted);
  for (const [at, text] of texts.entries()) if (isFar(numbers[at] ?? 0)) rare.add(text);
  const textOf = (number = 0): string => texts[numbers.indexOf(number)] ?? '0';
  return { rare, range: { column, min: textOf(sorted.at(0)), max: textOf(sorted.at(-1)) } };
}

/** The rows whose values deviate, those first that speak of trouble, and the ranges of the columns of numbers. */
export interface RareRows {
  readonly indexes: readonly number[];
  readonly ranges: readonly NumberRange[];
}

const troubleWords = /error|fail|exception|panic|fatal|critical|denied|refused|timed? ?out|abort/i;

function hasTrouble(row: Row): boolean {
  for (const value of row.values()) {
    if (value.startsWith('"') && troubleWords.test(value)) return true;
  }
  return false;
}

/** Rows with a value that speaks of trouble, unless that is what most of them do. */
function troubled(rows: readonly Row[]): number[] {
  const found = rows.flatMap((row, index) => (hasTrouble(row) ? [index] : []));
  return found.length * 3 <= rows.length ? found : [];
}

/** Most rows that may share a value that is a name of its own, such as that of one test. */
const fewRows = 20;

/** The strings of rows of trouble that may be names, each with no row yet. */
function namesOf(rows: readonly Row[], trouble: readonly number[]): Map<string, number[]> {
  const names = new Map<string, number[]>();
  for (const index of trouble) {
    for (const value of rows[index]?.values() ?? []) {
      if (value.startsWith('"') && value.length > 5) names.set(value, []);
    }
  }
  return names;
}

/** Rows that hold a string that a row of trouble has, too, if few rows do: the other events of the same thing. */
function sameNames(rows: readonly Row[], trouble: readonly number[]): number[] {
  const names = namesOf(rows, trouble);
  for (const [index, row] of rows.entries()) {
    for (const value of row.values()) {
      const having = names.get(value);
      if (having?.at(-1) !== index) having?.push(index);
    }
  }
  return [...names.values()].flatMap((indexes) => (indexes.length <= fewRows ? indexes : []));
}

/** Rows that name an id that a row of trouble names. */
function namedByTrouble(rows: readonly Row[], trouble: readonly number[]): number[] {
  if (trouble.length === 0) return [];
  const lines = rows.map((row) => [...row.values()].join(' '));
  // Small numbers are alike by chance.
  const isName = (id: string): boolean => !/^\d{1,4}$/.test(id);
  const named = new Set([...linesNaming(lines, trouble, isName), ...sameNames(rows, trouble)]);
  return named.size * 2 <= rows.length ? [...named] : [];
}

/**
 * Finds the rows that differ from the others: in a value, its type, the columns they have, or by speaking of trouble; and those that
 * name an id of a row that does.
 */
export function findRareRows(rows: readonly Row[]): RareRows {
  const names = new Set(rows.flatMap((row) => [...row.keys()]));
  const trouble = troubled(rows);
  const found = new Set<number>(trouble);
  const ranges: NumberRange[] = [];
  const add = (index: number): void => void found.add(index);
  for (const name of names) {
    const values = rows.map((row) => row.get(name) ?? '');
    const { rare, range } = factsOf(name, values);
    if (range !== undefined) ranges.push(range);
    if (rare.size === 0) continue;
    for (const [index, value] of values.entries()) if (rare.has(value)) add(index);
  }
  // What only shares a name with a row of trouble may do so by chance: it comes last where there is little room.
  for (const index of namedByTrouble(rows, trouble)) add(index);
  return { indexes: [...found], ranges };
}

/** One line that tells the ranges of the columns of numbers; none if there are no such columns. */
export function rangesLine(ranges: readonly NumberRange[]): string[] {
  if (ranges.length === 0) return [];
  const each = ranges.map(({ column, min, max }) => `${column} ${min} to ${max}`);
  return [cutLine(`numbers: ${each.join(', ')}`)];
}
