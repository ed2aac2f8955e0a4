import { type ByteSource, chunksOf } from './byte-source.ts';
import { collectBytes } from './collect-bytes.ts';

/** One line, without its end. */
export interface Line {
  /** Empty where the line is over the cap. */
  readonly bytes: Uint8Array;
  /** Bytes from the start of the input. */
  readonly offset: number;
  /** In bytes, without the line end. */
  readonly length: number;
  readonly isOverCap: boolean;
  /** Whether the input ended without a line end. */
  readonly isTail: boolean;
}

/** How to cut. */
export interface SplitLinesOptions {
  /** The longest line that is kept, bytes. */
  readonly maxRecordBytes: number;
  readonly progress: (bytes: number) => void;
  readonly buffered: (bytes: number) => void;
  /** Gives every line as it is, blank ones and blanks around a text as well. Default false. */
  readonly isRaw?: boolean;
}

const lineFeed = 0x0a;

/** Cuts chunk after chunk into lines. */
export interface LineCutter {
  readonly cut: (chunk: Uint8Array) => readonly Line[];
  /** What is left when the input ends. */
  readonly end: () => readonly Line[];
}

/**
 * Starts to cut bytes into lines. Unless they are taken raw, blank lines are left out; a byte order mark, carriage returns, blanks
 * and NUL padding around a line belong to no line.
 * Holds one line at a time, and of a line over the cap nothing; the lines do not depend on the chunks.
 * Takes time linear in the bytes.
 */
export function createLineCutter(options: SplitLinesOptions): LineCutter {
  const collector = collectBytes(options.maxRecordBytes, options.buffered);
  let start = 0;
  let seen = 0;
  const take = (lines: Line[], isTail: boolean): void => {
    const isOverCap = collector.isOverCap();
    const length = collector.length();
    const line = { bytes: collector.take(), offset: start, length, isOverCap, isTail };
    start += length + 1;
    const isWhole = options.isRaw === true && (length > 0 || !isTail);
    const trimmed = isOverCap || isWhole ? line : trimLine(line);
    if (trimmed !== undefined) lines.push(trimmed);
  };
  return {
    cut: (chunk) => {
      const lines: Line[] = [];
      let index = 0;
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, index)) {
        collector.add(chunk.subarray(index, end));
        take(lines, false);
        index = end + 1;
      }
      collector.add(chunk.subarray(index));
      seen += chunk.length;
      options.progress(seen);
      return lines;
    },
    end: () => {
      const lines: Line[] = [];
      take(lines, true);
      return lines;
    },
  };
}

/** The lines of an input, as {@link createLineCutter} cuts them. */
export async function* splitLines(
  input: ByteSource,
  options: SplitLinesOptions,
): AsyncGenerator<Line, void, undefined> {
  const cutter = createLineCutter(options);
  for await (const chunk of chunksOf(input)) yield* cutter.cut(chunk);
  yield* cutter.end();
}

/** The line without what stands around its text; nothing where that is all. */
function trimLine(line: Line): Line | undefined {
  const { bytes } = line;
  let start = line.offset === 0 && startsWithMark(bytes) ? 3 : 0;
  let end = bytes.length;
  while (start < end && isPadding(bytes[start])) start += 1;
  while (end > start && isPadding(bytes[end - 1])) end -= 1;
  if (start === end) return undefined;
  const offset = line.offset + start;
  const { isOverCap, isTail } = line;
  return { bytes: bytes.subarray(start, end), offset, length: end - start, isOverCap, isTail };
}

function startsWithMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function isPadding(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0;
}
