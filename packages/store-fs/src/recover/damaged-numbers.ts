import { keysEnd, keysStart } from '../files/segment-line.ts';

/** The number in the key of a record that was appended. */
const numberText = /"(\d{12})"/g;
const recordStart = /\{"version":\d+,"columns":\{/g;

function numbersIn(names: string): number[] {
  return [...names.matchAll(numberText)].map(([, digits]) => Number(digits));
}

/** The numbers in the names of further lines that damage joined to the first. */
function joinedNumbers(records: string): number[] {
  const [, ...starts] = records.split(keysStart);
  return starts.flatMap((start) => numbersIn(start.slice(0, Math.max(0, start.indexOf(keysEnd)))));
}

/**
 * Returns the numbers of the records that a damaged line of a log held, after a line that ended with `last`. Where the names in the line
 * are damaged, too, these are as many numbers as it held records, and rather too many: none may be used again.
 */
export function numbersInDamage(text: string, last: number | undefined): number[] {
  const records = [...text.matchAll(recordStart)];
  const start = records[0]?.index ?? text.length;
  const named = numbersIn(text.slice(0, start));
  const all = [...named, ...joinedNumbers(text.slice(start))];
  // The other numbers of a run vouch for its first; a single 0 may be what damage left of another number.
  const isRun = ([first = 0, ...others]: number[]): boolean =>
    first > (last ?? (others.length > 0 ? -1 : 0)) &&
    others.every((number, at) => number === first + at + 1);
  for (const run of [all, named]) if (run.length >= records.length && isRun(run)) return run;
  const count = Math.max(records.length, named.length);
  if (last !== undefined) return range(last + 1, count);
  const top = named.reduce((most, number) => Math.max(most, number), count);
  const missing = count - named.filter((number) => number > top - count).length;
  return range(top - count + 1, count + missing);
}

function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => first + at);
}
