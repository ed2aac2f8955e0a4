import { charKinds, letterKind, spaceKind, symbolKind } from './character-kinds.ts';

/** Where the counter may cut a text. */
export interface CutLimits {
  /** Longest run of one kind that is encoded in one piece, UTF-8 bytes (non-ASCII units count 3). Default 512. */
  readonly runBytes: number;
  /** From this length on, UTF-16 units, a slice ends at the next word. Twice this is the hard end. Default 16,384. */
  readonly sliceLength: number;
}

/**
 * Source: bench/measure-tokens, hostile inputs of 100,000 characters. A piece costs the square of its bytes, so 512
 * keep all of them under 200 ms; what a cut would change is mended by `countSlices`.
 */
export const defaultCutLimits: CutLimits = { runBytes: 512, sliceLength: 16_384 };

/** The end of a slice. */
export interface Cut {
  /** Index of the first UTF-16 unit after the slice. */
  readonly end: number;
  /** Whether the tokenizer might have joined across this cut. */
  readonly insideRun: boolean;
}

/**
 * Finds where the slice that begins at `start` ends.
 * Pure; `end` > `start`, never between the halves of a surrogate pair; where `insideRun` is false, the
 * tokens of both sides are those of the whole. No slice holds a run over `runBytes` nor more than 2 × `sliceLength`.
 * Makes one pass over the slice.
 */
export function findCut(text: string, start: number, limits: CutLimits = defaultCutLimits): Cut {
  const kinds = charKinds();
  const wordEnd = start + limits.sliceLength;
  const hardEnd = Math.min(text.length, wordEnd + limits.sliceLength);
  let letters = 0;
  let signs = 0;
  let spaces = 0;
  for (let index = start; index < hardEnd; index += 1) {
    const code = text.charCodeAt(index);
    const kind = kinds[code] ?? 0;
    const bytes = code < 0x80 ? 1 : 3;
    // Multiplied by 1 or 0: a run goes on or begins anew.
    letters = (letters + bytes) * (kind & letterKind);
    signs = ((signs + bytes) * (kind & symbolKind)) / symbolKind;
    spaces = ((spaces + bytes) * (kind & spaceKind)) / spaceKind;
    const run = Math.max(letters, signs, spaces);
    if (run > limits.runBytes && index > start)
      return { end: wholePair(text, start, index), insideRun: true };
    if (index >= wordEnd && startsWord(text, index, kind)) return { end: index, insideRun: false };
  }
  if (hardEnd === text.length) return { end: hardEnd, insideRun: false };
  return { end: wholePair(text, start, hardEnd), insideRun: true };
}

/** White space after an ASCII letter or digit: both patterns always begin a new piece here. */
function startsWord(text: string, index: number, kind: number): boolean {
  if ((kind & spaceKind) === 0 || text.charCodeAt(index) >= 0x80) return false;
  return /[A-Za-z0-9]/.test(text.charAt(index - 1));
}

function wholePair(text: string, start: number, end: number): number {
  const splits = isHighHalf(text.charCodeAt(end - 1)) && isLowHalf(text.charCodeAt(end));
  if (!splits) return end;
  return end - 1 > start ? end - 1 : end + 1;
}

const isHighHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLowHalf = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;
