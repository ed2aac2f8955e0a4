import type { readChunks } from '@ctx/core';
import { bitsOfByte, classOfSign, isOfWord, wordBits } from './character-classes.ts';
import { addUnits, type ClassTally, textClass } from './class-tally.ts';

/** A piece of a text as bytes. */
export type TextChunk = Parameters<Parameters<typeof readChunks>[1]>[0];

/** Bytes of the sign that begins with this byte. */
function lengthOfSign(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/** The sign of so many bytes, two or more. */
function signAt(bytes: Uint8Array, at: number, length: number): number {
  let code = (bytes[at] ?? 0) & (0xff >> (length + 1));
  for (let behind = 1; behind < length; behind += 1) {
    code = (code << 6) | ((bytes[at + behind] ?? 0) & 0x3f);
  }
  return code;
}

function isWordAt(bytes: Uint8Array, at: number, length: number): boolean {
  return length === 1
    ? ((bitsOfByte[bytes[at] ?? 0] ?? 0) & wordBits) !== 0
    : isOfWord(signAt(bytes, at, length));
}

/** Counts a run that begins with a sign of another script: letters and digits of any script belong to it. */
function countOtherScript(tally: ClassTally, { bytes, isLast }: TextChunk, from: number): number {
  let units = 0;
  let end = from;
  while (end < bytes.length) {
    const length = lengthOfSign(bytes[end] ?? 0);
    if (!isWordAt(bytes, end, length)) break;
    units += length === 4 ? 2 : 1;
    end += length;
  }
  if (end === bytes.length && !isLast) return from;
  addUnits(tally, textClass.otherScript, units);
  return end;
}

/** Counts the signs beyond ASCII at `from` that are of one class. Gives their end, or `from` where they may go on after the chunk. */
export function countBeyond(tally: ClassTally, chunk: TextChunk, from: number): number {
  const { bytes } = chunk;
  const kind = classOfSign(signAt(bytes, from, lengthOfSign(bytes[from] ?? 0)));
  if (kind === textClass.otherScript) return countOtherScript(tally, chunk, from);
  let units = 0;
  let end = from;
  while (end < bytes.length) {
    const length = lengthOfSign(bytes[end] ?? 0);
    if (length === 1 || classOfSign(signAt(bytes, end, length)) !== kind) break;
    units += length === 4 ? 2 : 1;
    end += length;
  }
  addUnits(tally, kind, units);
  return end;
}
