import { cutLine } from './choose-lines.ts';
import { inOrder, linesNaming } from './trouble.ts';

/** A row of a table: its values by column, as they stand in the text. */
export type Row = ReadonlyMap<string, string>;

/** The values of a table: of each column one for each row, '' where a row has none. */
export type Columns = ReadonlyMap<string | number, readonly string[]>;

/** Most cells of a table. Rows may name columns by ids of their own, and each column has a cell for each row. */
const mostCells = 500_000;

/**
 * The columns of rows that need not have the same ones, the first of them up to 500,000 cells. Each row gives its values under the names of
 * their columns.
 */
export function columnsOf(rows: readonly Iterable<readonly [string | number, string]>[]): Columns {
  const columns = new Map<string | number, string[]>();
  for (const [index, row] of rows.entries()) {
    for (const [name, value] of row) {
      const isRoom = columns.size * rows.length < mostCells;
      const column = columns.get(name) ?? (isRoom ? rows.map(() => '') : undefined);
      if (column === undefined) continue;
      columns.set(name, column);
      column[index] = value;
    }
  }
  return columns;
}

/** A value as rows of JSON hold it: what is no number stands between quotes. */
export function valueOf(cell: string): string {
  const value = cell.trim();
  return /^-?\d+(?:\.\d+)?$/.test(value) ? value : `"${value}"`;
}

/** How often each value of a column occurs. */
type Counts<Value> = ReadonlyMap<Value, number>;

function isNumeric(value: string): boolean {
  const code = value.charCodeAt(value.startsWith('-') ? 1 : 0);
  return code >= 48 && code <= 57;
}

function typeOf(value: string): string {
  const first = value.charAt(0);
  return isNumeric(value) ? 'number' : '"{['.includes(first) ? first : value;
}

/** How often each value occurs. */
export function count<Value>(values: Iterable<Value>): Map<Value, number> {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** How often each number occurs; of none if they are more than half, where none dominates. `sorted`: in ascending order. */
function countNumbers(sorted: Float64Array): Map<number, number> {
  const firsts = sorted.reduce((sum, one, at) => sum + Number(one !== sorted[at - 1]), 0);
  return count(firsts > sorted.length / 2 + 8 ? [] : sorted);
}

/**
 * Values of a column that deviate: much rarer than an even share where there are few different ones, or any that at most a tenth of
 * the rows have where one value dominates.
 */
function rareValues<Value>(counts: Counts<Value>, total: number): Set<Value> {
  const isClosed = counts.size <= Math.max(8, total / 10);
  const even = total / counts.size;
  const most = [...counts.values()].reduce((a, b) => Math.max(a, b), 0);
  const rare = new Set<Value>();
  for (const [value, times] of counts) {
    const isFarBelow = isClosed && times * 3 <= even;
    const isDeviation = most * 2 >= total && times * 10 <= total;
    if (isFarBelow || isDeviation) rare.add(value);
  }
  return rare;
}

/** Tells numbers far from the others by the quartiles; `undefined` if there are none or many. `sorted`: the numbers in ascending order. */
function outliersOf(sorted: Float64Array): ((number: number) => boolean) | undefined {
  const [low = 0, middle = 0, high = 0] = [0.25, 0.5, 0.75].map(
    (share) => sorted[Math.floor((sorted.length - 1) * share)],
  );
  const spread = 3 * Math.max(high - low, Math.abs(middle) * 0.1);
  const isFar = (number: number): boolean => number < low - spread || number > high + spread;
  const far = sorted.reduce((sum, number) => sum + Number(isFar(number)), 0);
  return far > 0 && far * 10 <= sorted.length ? isFar : undefined;
}

/** A column of numbers, smallest and largest as they stand in the text. */
export interface NumberRange {
  readonly column: string | number;
  readonly min: string;
  readonly max: string;
}

interface ColumnFacts {
  readonly rare: ReadonlySet<string>;
  readonly range?: NumberRange;
}

/** Tells the numbers of a column that deviate from the others; `undefined` if none does. `sorted`: its numbers in ascending order. */
export function rareNumbers(sorted: Float64Array): ((number: number) => boolean) | undefined {
  const isFar = outliersOf(sorted);
  const rare = rareValues(countNumbers(sorted), sorted.length);
  return rare.size === 0 ? isFar : (number) => rare.has(number) || isFar?.(number) === true;
}

function factsOf(column: string | number, values: readonly string[]): ColumnFacts {
  const texts = values.filter(isNumeric);
  const numbers = Float64Array.from(texts, Number);
  const sorted = numbers.toSorted();
  const rare = texts.length === values.length ? new Set<string>() : rareTexts(values);
  if (texts.length * 2 < values.length) return { rare };
  const isRare = rareNumbers(sorted);
  if (isRare)
    for (const [at, text] of texts.entries()) if (isRare(numbers[at] ?? 0)) rare.add(text);
  const textOf = (number = 0): string => texts[numbers.indexOf(number)] ?? '0';
  return { rare, range: { column, min: textOf(sorted.at(0)), max: textOf(sorted.at(-1)) } };
}

/** The values of a column that are rare by themselves or by their type. */
function rareTexts(values: readonly string[]): Set<string> {
  const rare = rareValues(count(values), values.length);
  const rareTypes = rareValues(count(values.map(typeOf)), values.length);
  return new Set(values.filter((value) => rare.has(value) || rareTypes.has(typeOf(value))));
}

/** The rows whose values deviate, those first that speak of trouble, and the ranges of the columns of numbers. */
export interface RareRows {
  readonly indexes: readonly number[];
  readonly ranges: readonly NumberRange[];
}

const troubleWords = /error|fail|exception|panic|fatal|critical|denied|refused|timed? ?out|abort/i;

/** Rows with a value that speaks of trouble, unless that is what most of them do. */
function troubled(columns: Columns, total: number): number[] {
  const found = new Set<number>();
  for (const values of columns.values()) {
    for (const [index, value] of values.entries()) {
      if (value.startsWith('"') && troubleWords.test(value)) found.add(index);
    }
  }
  return found.size * 3 <= total ? inOrder(found) : [];
}

/** Most rows that may share a value that is a name of its own, such as that of one test. */
const fewRows = 20;

/** Rows that hold a string that a row of trouble has, too, if few rows do: the other events of the same thing. */
function sameNames(columns: Columns, trouble: readonly number[]): number[] {
  const names = new Map<string, Set<number>>();
  for (const values of columns.values()) {
    for (const index of trouble) {
      const value = values[index] ?? '';
      if (value.startsWith('"') && value.length > 5) names.set(value, new Set());
    }
  }
  for (const values of columns.values()) {
    for (const [index, value] of values.entries()) names.get(value)?.add(index);
  }
  return [...names.values()].flatMap((rows) => (rows.size <= fewRows ? [...rows] : []));
}

/** Rows that name an id that a row of trouble names. */
function namedByTrouble(columns: Columns, trouble: readonly number[], total: number): number[] {
  if (trouble.length === 0) return [];
  const all = [...columns.values()];
  const lines = Array.from({ length: total }, (_, index) =>
    all.map((values) => values[index]).join(' '),
  );
  // Small numbers are alike by chance.
  const isName = (id: string): boolean => !/^\d{1,4}$/.test(id);
  const named = new Set([...linesNaming(lines, trouble, isName), ...sameNames(columns, trouble)]);
  return named.size * 2 <= total ? [...named] : [];
}

/**
 * Finds the rows that differ from the others: in a value, its type, the columns they have, or by speaking of trouble; and those that
 * name an id of a row that does. `total`: how many rows there are.
 */
export function findRareRows(columns: Columns, total: number): RareRows {
  const trouble = troubled(columns, total);
  const found = new Set<number>(trouble);
  const ranges: NumberRange[] = [];
  for (const [name, values] of columns) {
    const { rare, range } = factsOf(name, values);
    if (range !== undefined) ranges.push(range);
    if (rare.size === 0) continue;
    for (const [index, value] of values.entries()) if (rare.has(value)) found.add(index);
  }
  // What only shares a name with a row of trouble may do so by chance: it comes last where there is little room.
  for (const index of namedByTrouble(columns, trouble, total)) found.add(index);
  return { indexes: [...found], ranges };
}

/** One line that tells the ranges of the columns of numbers; none if there are no such columns. */
export function rangesLine(ranges: readonly NumberRange[]): string[] {
  if (ranges.length === 0) return [];
  const each = ranges.map(({ column, min, max }) => `${String(column)} ${min} to ${max}`);
  return [cutLine(`numbers: ${each.join(', ')}`)];
}
