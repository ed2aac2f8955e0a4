/**
 * The kinds of signs that tokenizers treat alike. Each bears the tokens that one unit of it costs. They are numbers, since a
 * text of a few kilobytes adds to them thousands of times.
 */
export const textClass = {
  word: 0,
  longLetter: 1,
  capital: 2,
  digitGroup: 3,
  punctuationRun: 4,
  punctuationMore: 5,
  lineBreak: 6,
  indent: 7,
  hexDigit: 8,
  blobLetter: 9,
  accented: 10,
  han: 11,
  kana: 12,
  hangul: 13,
  cyrillic: 14,
  otherScript: 15,
  symbol: 16,
  traditional: 17,
  figureSpace: 18,
  wordBreak: 19,
  markBreak: 20,
} as const;

/** The name of a class. */
export type TextClassName = keyof typeof textClass;

/** One of `textClass`. */
export type TextClass = (typeof textClass)[TextClassName];

/** Number of classes. */
const classes = Object.keys(textClass).length;

/** Units counted by class. */
export interface ClassTally {
  /** By class. A list, since a typed array of this size is memory of its own, which takes longer to get than a short text to count. */
  readonly units: number[];
  /** The classes that came, in the order in which they first came. */
  readonly order: TextClass[];
}

const noUnits: readonly number[] = new Array<number>(classes).fill(0);

/** Makes an empty tally. */
export function classTally(): ClassTally {
  return { units: noUnits.slice(), order: [] };
}

/** Adds `units` of a class; none below 1. */
export function addUnits({ units, order }: ClassTally, kind: TextClass, more: number): void {
  if (more <= 0) return;
  const before = units[kind] ?? 0;
  if (before === 0) order.push(kind);
  units[kind] = before + more;
}

/** Letters of a word that are free. */
const freeLetters = 6;

/** Adds a word of so many letters. */
export function addWord(tally: ClassTally, letters: number): void {
  addUnits(tally, textClass.word, 1);
  addUnits(tally, textClass.longLetter, letters - freeLetters);
}
