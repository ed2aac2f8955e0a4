/** A literal of a text: a name, path, number, address or telling word, and how much its kind weighs. */
export interface Literal {
  readonly text: string;
  /** Above 0; 1 is an ordinary identifier. */
  readonly weight: number;
}

/**
 * What each kind weighs. A joined name weighs little because its parts count beside it. Source: `npm run bench -- compaction`,
 * November 2026; exact numbers hardly matter.
 */
const literalWeights = {
  identifier: 1.2,
  hash: 1,
  proper: 0.9,
  number: 0.8,
  word: 0.7,
  path: 0.6,
  dotted: 0.45,
} as const;

/** Longest literal that is kept as it is, UTF-16 units. Longer ones are blobs, of no use to a reader. */
const maxLength = 120;
/** Literals that are looked at in one line. */
export const maxPerLine = 40;

/** Words joined by signs that do not end a name. The joining signs are no word signs, so nothing is tried twice. */
const compound = /[\p{L}\p{N}_$]+(?:(?:[./@#-]+|:\/\/)[\p{L}\p{N}_$]+)*/gu;
const part = /[\p{L}\p{N}_$]+/gu;

const commonWords: ReadonlySet<string> = new Set(
  (
    'this that with from have will your they them then than when what which were been being into only also some such just ' +
    'more most each other because there here their these those about after before would could should where while does ' +
    'done make made like need needs using used uses file files line lines null true false return const func function ' +
    'string import type let var new else'
  ).split(' '),
);

/** The literals of one line, each once, in order. Takes linear time. */
export function literalsOf(line: string): Literal[] {
  const found = new Map<string, Literal>();
  for (const token of tokensOf(line)) {
    for (const literal of literalsOfToken(token)) found.set(literal.text, literal);
    if (found.size >= maxPerLine) break;
  }
  return [...found.values()].slice(0, maxPerLine);
}

/** The runs of word signs and joining signs of a line, at most 40: what literals are made of. */
export function tokensOf(line: string): readonly string[] {
  return line.match(compound)?.slice(0, maxPerLine) ?? [];
}

/** The literals of one such run: itself, where it is joined, and its words. */
export function literalsOfToken(token: string): Literal[] {
  if (!/[./@#-]/.test(token)) return literalOfWord(token);
  const whole = token.length <= maxLength ? [{ text: token, weight: weightOfCompound(token) }] : [];
  const words = token.match(part)?.slice(0, maxPerLine) ?? [];
  return [...whole, ...words.flatMap((word) => literalOfWord(word))];
}

function literalOfWord(word: string): Literal[] {
  const weight = word.length > maxLength ? 0 : weightOfWord(word);
  return weight === 0 ? [] : [{ text: word, weight }];
}

function weightOfCompound(text: string): number {
  if (text.includes('/')) return literalWeights.path;
  if (/\d/.test(text) || text.includes('.')) return literalWeights.dotted;
  return /[A-Z_]/.test(text) ? literalWeights.dotted : literalWeights.proper;
}

function weightOfWord(word: string): number {
  if (word.length < 2) return 0;
  if (/^\d+$/.test(word)) return literalWeights.number;
  if (isHash(word)) return literalWeights.hash;
  if (/[_$\d]/.test(word) || /\p{Ll}\p{Lu}/u.test(word)) return literalWeights.identifier;
  if (word.length < 3) return 0;
  if (/^\p{Lu}/u.test(word)) return literalWeights.proper;
  return word.length < 4 || commonWords.has(word) ? 0 : literalWeights.word;
}

function isHash(word: string): boolean {
  return word.length >= 7 && /^[0-9a-f]+$/.test(word) && /\d/.test(word);
}
