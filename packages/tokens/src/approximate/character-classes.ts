import { type TextClass, textClass } from './class-tally.ts';
import { traditionalSigns } from './traditional-characters.ts';

/** Bits of bytes: what a run of letters and digits is made of, and the two other kinds that come in runs. */
export const digitBit = 1;
export const lowerHexBit = 2;
export const lowerBit = 4;
export const upperHexBit = 8;
export const upperBit = 16;
export const punctuationBit = 32;
export const indentBit = 64;
/** A byte of a sign that is not ASCII. */
export const beyondBit = 128;
/** Letters of either case, and all that a word is made of. */
export const lowerBits: number = lowerHexBit | lowerBit;
export const upperBits: number = upperHexBit | upperBit;
export const wordBits: number = digitBit | lowerBits | upperBits;

const ranges: readonly (readonly [string, string, number])[] = [
  ['0', '9', digitBit],
  ['a', 'f', lowerHexBit],
  ['g', 'z', lowerBit],
  ['A', 'F', upperHexBit],
  ['G', 'Z', upperBit],
  ['!', '/', punctuationBit],
  [':', '@', punctuationBit],
  ['[', '`', punctuationBit],
  ['{', '~', punctuationBit],
  [' ', ' ', indentBit],
  ['\t', '\t', indentBit],
  ['\u0080', '\u00ff', beyondBit],
];

function bitsTable(): Uint8Array {
  const table = new Uint8Array(256);
  for (const [first, last, bits] of ranges) {
    table.fill(bits, first.charCodeAt(0), last.charCodeAt(0) + 1);
  }
  return table;
}

/** The bit of each byte of UTF-8; 0 for control signs. */
export const bitsOfByte: Uint8Array = bitsTable();

/** The classes of signs beyond ASCII. The first whose pattern fits is that of a sign. */
const patterns: readonly (readonly [TextClass, RegExp])[] = [
  [textClass.traditional, new RegExp(`[${traditionalSigns}]`, 'u')],
  [textClass.han, /\p{Script=Han}/u],
  [textClass.kana, /[\p{Script=Hiragana}\p{Script=Katakana}\u30fc]/u],
  [textClass.hangul, /\p{Script=Hangul}/u],
  [textClass.cyrillic, /\p{Script=Cyrillic}/u],
  [textClass.accented, /[\u00c0-\u024f]/u],
  [textClass.otherScript, /[\p{L}\p{M}\p{N}]/u],
  [textClass.symbol, /[^]/u],
];

/** In the table: the class of a sign, and whether it is of a word. 0 is a sign that was not looked at yet. */
const classBits = 31;
const wordSign = 32;
const lookedAt = 64;

/** One byte for each sign of Unicode; the memory of those that never come is never touched. */
let table: Uint8Array | undefined;

function lookAt(code: number): number {
  const sign = String.fromCodePoint(code);
  const [kind] = patterns.find(([, pattern]) => pattern.test(sign)) ?? [textClass.symbol];
  return lookedAt | kind | (/[\p{L}\p{M}\p{N}]/u.test(sign) ? wordSign : 0);
}

function entryOf(code: number): number {
  table ??= new Uint8Array(0x110000);
  const known = table[code] ?? 0;
  if (known !== 0) return known;
  const entry = lookAt(code);
  table[code] = entry;
  return entry;
}

/** The class of a sign beyond ASCII. Asks patterns once for each character that comes. */
export function classOfSign(code: number): TextClass {
  return (entryOf(code) & classBits) as TextClass;
}

/** Whether a sign beyond ASCII is a letter, mark or number of any script. */
export function isOfWord(code: number): boolean {
  return (entryOf(code) & wordSign) !== 0;
}
