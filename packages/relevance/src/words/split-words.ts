import { stemmer } from 'stemmer';
import { stopWords } from './stop-words.ts';

export interface SearchWordsOptions {
  /** Only so many characters from the start are read. Default 8,000. */
  readonly maxCharacters?: number;
  /** Gives a word once for each way in which it is written, not each time: for long texts, where only whether it is there counts. Default false. */
  readonly isOnce?: boolean;
}

/** Longer runs are cut to this length: hashes and base64 stay findable by their start. */
const maxWordLength = 40;

/** Search words are remembered for this number of different words, then forgotten at once. */
const maxRemembered = 50_000;

// Classes of characters. A word is a run of one class; an upper-case run may start a lower-case one.
const other = 0;
const lower = 1;
const upper = 2;
const digit = 3;
const letter = 4;
const ideograph = 5;
const mark = 6;

const ideographs =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;

const classes: readonly (readonly [RegExp, number])[] = [
  [/^\p{M}$/u, mark],
  [/^\p{Nd}$/u, digit],
  [/^[\p{Lu}\p{Lt}]$/u, upper],
  [/^\p{Ll}$/u, lower],
];

const asciiClass: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return lower;
  if (/[A-Z]/.test(character)) return upper;
  return /[0-9]/.test(character) ? digit : other;
});

/** The search word of a word as it stood in a text, '' where it has none. */
const remembered = new Map<string, string>();

/**
 * The words by which a text is found: split, lower case, English endings cut (Porter), without stop words and single letters.
 * Words hold letters and digits only; the same text always gives the same words; repeated words repeat.
 * Makes one pass over at most `maxCharacters`, whatever the text.
 */
export function searchWords(text: string, options: SearchWordsOptions = {}): string[] {
  const words: string[] = [];
  const seen = new Set<string>();
  const { isOnce = false } = options;
  eachRun(text, options, (raw, kind) => {
    if (kind === ideograph) {
      pushPairs(words, raw);
      return true;
    }
    if (isOnce) {
      if (seen.has(raw)) return true;
      seen.add(raw);
    }
    const word = searchWordOf(raw, kind);
    if (word !== '') words.push(word);
    return true;
  });
  return words;
}

/** A search word and where it stands in the text: from `start` up to, not including, `end`. */
export interface PlacedWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Visits the search words of a text with their places, until `visit` gives false. Pairs of ideographs overlap.
 * The same words in the same order as `searchWords`, but for signs that stand for several (ligatures between ideographs).
 */
export function eachSearchWord(
  text: string,
  options: SearchWordsOptions,
  visit: (placed: PlacedWord) => boolean,
): void {
  eachRun(text, options, (raw, kind, start) => {
    if (kind === ideograph) return visitPairs(raw, start, visit);
    const word = searchWordOf(raw, kind);
    return word === '' || visit({ word, start, end: start + raw.length });
  });
}

function visitPairs(raw: string, from: number, visit: (placed: PlacedWord) => boolean): boolean {
  const signs = Array.from(raw);
  const [only = ''] = signs;
  if (signs.length === 1)
    return visit({ word: plainWord(only), start: from, end: from + raw.length });
  let start = from;
  for (const [index, sign] of signs.entries()) {
    const next = signs[index + 1];
    if (next === undefined) break;
    const end = start + sign.length + next.length;
    if (!visit({ word: plainWord(sign + next), start, end })) return false;
    start += sign.length;
  }
  return true;
}

/**
 * Splits a text into lower-case words at everything that is no letter or digit, between letters and digits, and inside
 * of camelCase. Scripts written without spaces give overlapping pairs. Accents are taken off.
 */
export function splitWords(text: string, options: SearchWordsOptions = {}): string[] {
  const words: string[] = [];
  eachRun(text, options, (raw, kind) => {
    if (kind === ideograph) pushPairs(words, raw);
    else if (plainWord(raw) !== '') words.push(plainWord(raw));
    return true;
  });
  return words;
}

/**
 * Finds the runs of characters that belong to one word, cut to `maxWordLength` but for ideographs, until `visit` gives false.
 */
function eachRun(
  text: string,
  { maxCharacters = 8_000 }: SearchWordsOptions,
  visit: (raw: string, kind: number, position: number) => boolean,
): void {
  const end = Math.min(text.length, maxCharacters);
  let position = 0;
  while (position < end) {
    const kind = classAt(text, position);
    if (kind === other || kind === mark) {
      position += widthAt(text, position);
      continue;
    }
    const stop = endOfPlainWord(text, position, end) ?? endOfWord(text, { position, end, kind });
    const isLong = stop - position > maxWordLength && kind !== ideograph;
    const raw = text.slice(position, isLong ? position + maxWordLength : stop);
    if (!visit(raw, kind, position)) return;
    position = stop;
  }
}

/** Where the word that starts at `position` ends. Never more than one character is looked at twice. */
function endOfWord(
  text: string,
  from: { readonly position: number; readonly end: number; readonly kind: number },
): number {
  let kind = from.kind;
  let position = from.position + widthAt(text, from.position);
  // The last letter; marks on it are its own.
  let last = from.position;
  while (position < from.end) {
    const next = classAt(text, position);
    if (kind === upper && next === lower) {
      if (last > from.position) return last;
      kind = lower;
    } else if (next !== kind && next !== mark) {
      return position;
    }
    if (next !== mark) last = position;
    position += widthAt(text, position);
  }
  return Math.min(position, from.end);
}

/** As `endOfWord` for small letters and digits of ASCII, which most words are; `undefined` where another sign may go on with the word. */
function endOfPlainWord(text: string, position: number, end: number): number | undefined {
  const kind = asciiClass[text.charCodeAt(position)];
  if (kind !== lower && kind !== digit) return undefined;
  let at = position + 1;
  while (at < end && asciiClass[text.charCodeAt(at)] === kind) at += 1;
  return at === end || text.charCodeAt(at) < 128 ? at : undefined;
}

function classAt(text: string, position: number): number {
  const unit = text.charCodeAt(position);
  return unit < 128 ? (asciiClass[unit] ?? other) : classOf(text.codePointAt(position) ?? 0);
}

/** The classes of signs below 65,536 as they are met; `unknown` before that. */
const unknown = 255;
const metClasses: Uint8Array = new Uint8Array(65_536).fill(unknown);

function classOf(codePoint: number): number {
  const met = metClasses[codePoint] ?? unknown;
  if (met !== unknown) return met;
  const kind = findClass(codePoint);
  // A sign beyond has no place here.
  metClasses[codePoint] = kind;
  return kind;
}

function findClass(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  for (const [pattern, kind] of classes) if (pattern.test(character)) return kind;
  if (ideographs.test(character)) return ideograph;
  return /^\p{L}$/u.test(character) ? letter : other;
}

function widthAt(text: string, position: number): number {
  const unit = text.charCodeAt(position);
  return unit >= 0xd800 && unit < 0xdc00 && (text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1;
}

function pushPairs(words: string[], raw: string): void {
  const characters = Array.from(plainWord(raw));
  if (characters.length === 1) words.push(...characters);
  for (let index = 1; index < characters.length; index++) {
    words.push(`${characters[index - 1] ?? ''}${characters[index] ?? ''}`);
  }
}

/** Lower case, without accents. What compatibility forms leave behind besides letters and digits goes too. */
function plainWord(raw: string): string {
  const word = raw.toLowerCase();
  if (/^[a-z0-9]*$/.test(word)) return word;
  return word
    .normalize('NFKD')
    .replace(/[^\p{L}\p{Nd}]+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{Nd}]+/gu, '');
}

/** Numbers are words as they stand, and so many that they would push all others out of what is remembered. */
function searchWordOf(raw: string, kind: number): string {
  const isPlain = kind === digit && /^\d+$/.test(raw);
  return isPlain ? raw : (remembered.get(raw) ?? remember(raw));
}

function remember(raw: string): string {
  const word = plainWord(raw);
  const isSilent = stopWords.has(word) || /^[a-z]$/.test(word);
  const stem = /^[a-z]+$/.test(word) ? stemmer(word) : word;
  if (remembered.size >= maxRemembered) remembered.clear();
  // A slice would keep the whole text alive in some engines; these are at most 40 characters each.
  remembered.set(raw, isSilent ? '' : stem);
  return isSilent ? '' : stem;
}
