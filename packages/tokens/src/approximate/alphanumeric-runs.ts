import {
  bitsOfByte,
  digitBit,
  lowerBits,
  lowerHexBit,
  upperBits,
  upperHexBit,
} from './character-classes.ts';
import { addUnits, addWord, type ClassTally, textClass } from './class-tally.ts';

/** From so many letters and digits in a row, with digits among them, a run is no word but a number in hexadecimal or base64. */
const minBlob = 20;
/** Digits that are one token. */
const digitsOfGroup = 3;

/** A run of letters and digits. */
export interface AlphanumericRun {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly end: number;
}

/** Where the signs of these bits end that begin at `from`. */
function endOf({ bytes, end }: AlphanumericRun, from: number, bits: number): number {
  let at = from;
  while (at < end && ((bitsOfByte[bytes[at] ?? 0] ?? 0) & bits) !== 0) at += 1;
  return at;
}

/** Counts the piece of letters at `from`: the last of several capitals begins a word where small letters follow. */
function countLetters(tally: ClassTally, run: AlphanumericRun, from: number): number {
  const capitalsEnd = endOf(run, from, upperBits);
  const wordEnd = endOf(run, capitalsEnd, lowerBits);
  const hasSmall = wordEnd > capitalsEnd;
  const capitals = capitalsEnd - from - (hasSmall ? 1 : 0);
  if (capitals < 1) {
    addWord(tally, wordEnd - from);
    return wordEnd;
  }
  if (capitals === 1) addWord(tally, 1);
  else addUnits(tally, textClass.capital, capitals);
  return from + capitals;
}

function countPieces(tally: ClassTally, run: AlphanumericRun): void {
  for (let at = run.from; at < run.end; ) {
    const digitsEnd = endOf(run, at, digitBit);
    if (digitsEnd > at) {
      addUnits(tally, textClass.digitGroup, Math.ceil((digitsEnd - at) / digitsOfGroup));
      at = digitsEnd;
    } else at = countLetters(tally, run, at);
  }
}

const isOnly = (seen: number, bits: number): boolean => (seen & ~bits) === 0;

/** Counts a run of letters and digits of which these bits were seen. */
export function countAlphanumeric(tally: ClassTally, run: AlphanumericRun, seen: number): void {
  const length = run.end - run.from;
  if (length < minBlob || (seen & digitBit) === 0) {
    countPieces(tally, run);
    return;
  }
  const isHex = isOnly(seen, digitBit | lowerHexBit) || isOnly(seen, digitBit | upperHexBit);
  addUnits(tally, isHex ? textClass.hexDigit : textClass.blobLetter, length);
}
