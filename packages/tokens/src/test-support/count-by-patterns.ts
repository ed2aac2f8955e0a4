import type { TextClassName } from '../approximate/class-tally.ts';
import { knownTraditionalSigns } from './traditional-signs.ts';

/** Letters of a word piece that are free. */
const freeLetters = 6;
/** From so many letters and digits in a row, with digits among them, a run is no word but a number in hexadecimal or base64. */
const minBlob = 20;

/** The longest run of spaces that is one token, about. */
const maxIndent = 80;

/** Splits text into runs: letters and digits, spaces, punctuation, or one other sign. */
const runs =
  /([A-Za-z0-9]+)|(\r?\n)|([ \t]+)|([!-/:-@[-`{-~]+)|(\p{Script=Han})|([\p{Script=Hiragana}\p{Script=Katakana}\u30fc]+)|(\p{Script=Hangul}+)|(\p{Script=Cyrillic}+)|([\u00c0-\u024f]+)|([\p{L}\p{M}\p{N}]+)|([^])/gu;

/** Counts the units of each class in a text by regular expressions: slow, and easy to read. What `countClasses` is held against. */
export function countByPatterns(text: string): [TextClassName, number][] {
  const counts = new Map<TextClassName, number>();
  const add = (kind: TextClassName, units: number): void => {
    if (units > 0) counts.set(kind, (counts.get(kind) ?? 0) + units);
  };
  for (const match of text.matchAll(runs)) {
    const run = match[0];
    if (match[1] !== undefined) addAlphanumeric(run, add);
    else addOther(match, run, add);
  }
  return [...counts];
}

type Add = (kind: TextClassName, units: number) => void;

/** The classes of the groups 5 to 11, counted by sign. */
const classOfGroup: readonly (readonly [number, TextClassName])[] = [
  [5, 'han'],
  [6, 'kana'],
  [7, 'hangul'],
  [8, 'cyrillic'],
  [9, 'accented'],
  [10, 'otherScript'],
  [11, 'symbol'],
];

function breakBehind({ input, index }: RegExpExecArray): TextClassName {
  const before = input.charAt(index - 1);
  if (/[A-Za-z0-9]/.test(before)) return 'wordBreak';
  return /[!-/:-@[-`{-~]/.test(before) ? 'markBreak' : 'lineBreak';
}

function addSpaces({ input, index }: RegExpExecArray, run: string, add: Add): void {
  add('indent', Math.ceil((run.length - 1) / maxIndent));
  if (/[0-9]/.test(input.charAt(index + run.length))) add('figureSpace', 1);
}

function addOther(match: RegExpExecArray, run: string, add: Add): void {
  if (match[2] !== undefined) add(breakBehind(match), 1);
  else if (match[3] !== undefined) addSpaces(match, run, add);
  else if (match[4] !== undefined) {
    add('punctuationRun', 1);
    add('punctuationMore', run.length - 1);
  } else {
    const found = classOfGroup.find(([group]) => match[group] !== undefined);
    const isTraditional = found?.[1] === 'han' && knownTraditionalSigns.includes(run);
    if (found) add(isTraditional ? 'traditional' : found[1], run.length);
  }
}

function addAlphanumeric(run: string, add: Add): void {
  if (run.length >= minBlob && /\d/.test(run)) {
    add(/^[0-9a-f]+$|^[0-9A-F]+$/.test(run) ? 'hexDigit' : 'blobLetter', run.length);
    return;
  }
  for (const piece of run.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []) {
    if (/^\d/.test(piece)) add('digitGroup', Math.ceil(piece.length / 3));
    else if (/^[A-Z]{2}/.test(piece)) add('capital', piece.length);
    else {
      add('word', 1);
      add('longLetter', piece.length - freeLetters);
    }
  }
}
