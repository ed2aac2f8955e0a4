import type { RecordBytes } from '../history/event-log.ts';
import { isRecord, type JsonRecord } from '../values.ts';
import { type ByteSource, chunksOf } from './byte-source.ts';
import { type ParsedRecord, readValue } from './read-value.ts';
import { createLineCutter, type Line, type SplitLinesOptions } from './split-lines.ts';

/** One object of a JSONL file, or why the bytes are none. */
export type JsonLine = { readonly bytes: RecordBytes } & (
  | { readonly record: JsonRecord; readonly bad?: undefined; readonly isGlued?: boolean }
  | {
      readonly bad: Exclude<ParsedRecord['bad'], undefined>;
      readonly record?: undefined;
      readonly isGlued?: undefined;
    }
);

/**
 * Reads the objects of a JSONL file, all of a chunk at a time: a step of an asynchronous generator costs about as much as a short
 * record. Objects glued on one line are split; a broken last line without a line end is torn.
 * Never throws; every byte that is not blank is in exactly one of the lines that come out.
 */
export async function* jsonLines(
  input: ByteSource,
  options: SplitLinesOptions,
): AsyncGenerator<Iterable<JsonLine>, void, undefined> {
  const cutter = createLineCutter(options);
  for await (const chunk of chunksOf(input)) {
    yield chunk.length === 0 ? nothingForNow : readLines(cutter.cut(chunk));
  }
  yield readLines(cutter.end());
}

/** Comes in place of lines where the input has nothing more for now. */
export const nothingForNow: Iterable<JsonLine> = [];

function* readLines(lines: Iterable<Line>): Generator<JsonLine, void, undefined> {
  for (const line of lines) yield* readLine(line);
}

function readLine(line: Line): JsonLine[] {
  if (line.isOverCap) return [{ bytes: line, bad: 'over-cap' }];
  const whole = readValue(line.bytes);
  if (whole.bad === undefined) return [asObject(line, whole.value)];
  if (whole.bad !== 'not-json')
    return [{ bytes: line, bad: line.isTail ? 'torn-tail' : whole.bad }];
  return splitGlued(line);
}

function asObject(bytes: RecordBytes, value: unknown): JsonLine {
  return isRecord(value) ? { bytes, record: value } : { bytes, bad: 'not-object' };
}

/** The objects of a line that holds several, and what is left of it. */
function splitGlued(line: Line): JsonLine[] {
  const found: JsonLine[] = [];
  let start = 0;
  for (
    let end = endOfObject(line.bytes, 0);
    end !== undefined;
    end = endOfObject(line.bytes, start)
  ) {
    const bytes = partOf(line, start, end);
    const { value } = readValue(bytes.bytes);
    if (!isRecord(value)) break;
    found.push({ bytes, record: value, isGlued: start > 0 });
    start = end;
  }
  if (start < line.bytes.length) {
    const bytes = partOf(line, start, line.bytes.length);
    found.push({ bytes, bad: line.isTail ? 'torn-tail' : 'not-json' });
  }
  return found;
}

function partOf(line: Line, start: number, end: number): RecordBytes {
  const bytes = line.bytes.subarray(start, end);
  return { bytes, offset: line.offset + start, length: end - start };
}

/** Index after the object that begins at `start`; `undefined` where none does or it does not end. */
export function endOfObject(bytes: Uint8Array, start: number): number | undefined {
  if (bytes[start] !== 0x7b) return undefined;
  let depth = 0;
  let isInString = false;
  for (let index = start; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (isInString) {
      if (byte === 0x5c) index += 1;
      else if (byte === 0x22) isInString = false;
    } else if (byte === 0x22) isInString = true;
    else if (byte === 0x7b) depth += 1;
    else if (byte === 0x7d) {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return undefined;
}
