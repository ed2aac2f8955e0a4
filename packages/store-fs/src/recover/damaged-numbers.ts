/** The number in the key of a record that was appended. */
const numberText = /"(\d{12})"/g;
const recordStart = /\{"version":\d+,"columns":\{/g;

/**
 * Returns the numbers of the records that a damaged line of a log held, after a line that ended with `last`. Where the names in the line
 * are damaged, too, these are as many numbers as it held records, and rather too many: none may be used again.
 */
export function numbersInDamage(text: string, last: number | undefined): number[] {
  const records = [...text.matchAll(recordStart)];
  const names = text.slice(0, records[0]?.index);
  const named = [...names.matchAll(numberText)].map(([, digits]) => Number(digits));
  const count = Math.max(records.length, named.length);
  const [first = 0] = named;
  const isRun = named.every((number, at) => number === first + at);
  if (isRun && named.length === count && first > (last ?? 0)) return named;
  if (last !== undefined) return range(last + 1, count);
  const top = named.reduce((most, number) => Math.max(most, number), count);
  const missing = count - named.filter((number) => number > top - count).length;
  return range(top - count + 1, count + missing);
}

function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => first + at);
}
