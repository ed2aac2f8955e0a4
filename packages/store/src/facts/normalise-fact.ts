/** Signs of punctuation that change what a fact says: `C#`, `100%`, `a & b`, `@team`, paths. */
const meaningful: ReadonlySet<string> = new Set(['#', '%', '&', '@', '*', '/', '\\']);
/** Signs that belong to the word around them, as in `1.75`, `don't` and `12:30`. */
const inner: ReadonlySet<string> = new Set(['.', ',', ':', "'", '’', '_']);

const punctuation = /^\p{P}$/u;
const alphanumeric = /^[\p{L}\p{N}]$/u;
const numeral = /^\p{N}$/u;
const blank = /^[\s\p{C}]$/u;

const is = (pattern: RegExp, sign: string | undefined): boolean =>
  sign !== undefined && pattern.test(sign);

/** Whether the sign at `at` of a fact is said, or only written. */
function keeps(signs: readonly string[], at: number): boolean {
  const sign = signs[at] ?? '';
  if (is(blank, sign)) return false;
  if (!is(punctuation, sign) || meaningful.has(sign)) return true;
  const before = signs[at - 1];
  const after = signs[at + 1];
  if (inner.has(sign)) return is(alphanumeric, before) && is(alphanumeric, after);
  // A minus before a number.
  return sign === '-' && is(numeral, after) && !is(alphanumeric, before);
}

/**
 * A fact without what is only way of writing: letter case, kinds of white space, punctuation. Facts that are equal then are the
 * same fact.
 * Idempotent. `C++`, `C#` and `C` stay apart, `1.75` and `175`, `-5` and `5`, too. Empty where nothing is said.
 * Makes one pass.
 */
export function normaliseFact(fact: string): string {
  const signs = Array.from(fact.normalize('NFKC').toLowerCase().normalize('NFKC'));
  const words = signs.map((sign, at) => (keeps(signs, at) ? sign : ' ')).join('');
  return words.split(' ').filter(Boolean).join(' ').replaceAll('’', "'");
}
