/** A literal of a program, and where it ends. */
export interface Literal {
  readonly value: string;
  /** The place after its closing quote. */
  readonly end: number;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' };

const quotes = ['"""', "'''", '"', "'", '`'];

/** Where a literal ends: the place of its closing quote; -1 where its end or its value is not known. */
function endOf(code: string, start: number, quote: string): number {
  for (let at = start; at < code.length; at += 1) {
    if (code.startsWith(quote, at)) return at;
    if (quote === '`' && code.startsWith('${', at)) return -1;
    if (code[at] === '\\') at += 1;
  }
  return -1;
}

/** Reads a literal of JavaScript or Python from its opening quote on; `undefined` where there is none that is known. */
export function literalAt(code: string, start: number): Literal | undefined {
  const quote = quotes.find((each) => code.startsWith(each, start));
  if (quote === undefined) return undefined;
  const from = start + quote.length;
  const end = endOf(code, from, quote);
  if (end < 0) return undefined;
  const value = code
    .slice(from, end)
    .replace(/\\([\s\S])/g, (_, sign: string) => escapes[sign] ?? sign);
  return { value, end: end + quote.length };
}
