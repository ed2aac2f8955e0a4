import { posix } from 'node:path';
import { keyText } from '@ctx/core';
import { recordPath } from './file-layout.ts';
import type { SegmentPlace } from './journal-line.ts';
import type { RecordFile } from './record-file.ts';
import type { RecordPlace } from './record-place.ts';
import {
  decodeSegmentLine,
  encodeSegmentLine,
  isBlankLine,
  keysOfDamaged,
} from './segment-line.ts';

/** A segment that has so many bytes gets no more lines: to take a record out of it means to write it anew. */
export const mostSegmentBytes: number = 65_536;
/** Records whose line would be longer have files of their own, bytes. */
export const mostLineBytes: number = 16_384;

const space = 0x20;
const lineEnd = 0x0a;

/** What the segment is called that a write begins. A counter is used once, so no name is used twice. */
export function segmentName(write: number): string {
  return `segment-${String(write).padStart(12, '0')}.jsonl`;
}

/** Whether a file is a segment. No record is called so. */
export function isSegmentName(name: string): boolean {
  return /^segment-[0-9]{12,16}\.jsonl$/.test(name);
}

/** Where a segment lies below the store's folder: beside the files of the records that are not in it. */
export function segmentPath({ collection, key }: RecordPlace, file: string): string {
  return `${posix.dirname(recordPath(collection, key))}/${file}`;
}

/** Where the file lies that a record is in, below the store's folder: its own, or a segment. */
export function storedPath(
  place: RecordPlace & { readonly segment: SegmentPlace | undefined },
): string {
  const { collection, key, segment } = place;
  return segment === undefined ? recordPath(collection, key) : segmentPath(place, segment.file);
}

/** A line of a segment: its records, or what else it is. */
export interface SegmentLine {
  readonly at: number;
  /** Without the end of the line. */
  readonly length: number;
  readonly holds: readonly RecordFile[] | 'nothing' | 'damage';
}

function holdsOf(line: Buffer): SegmentLine['holds'] {
  return isBlankLine(line) ? 'nothing' : (decodeSegmentLine(line) ?? 'damage');
}

/** Gives the lines of a segment, a last one without an end included. Cost: parses all of them. */
export function* linesOf(bytes: Buffer): Generator<SegmentLine> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(lineEnd, at);
    const length = (end === -1 ? bytes.length : end) - at;
    yield { at, length, holds: holdsOf(bytes.subarray(at, at + length)) };
    at += length + 1;
  }
}

/** Writes spaces over a line, and in their place the records that stay. */
function refill(bytes: Buffer, { at, length }: SegmentLine, stay: readonly RecordFile[]): void {
  bytes.fill(space, at, at + length);
  if (stay.length > 0) encodeSegmentLine(stay).copy(bytes, at);
}

function namesOne(line: Buffer, gone: ReadonlySet<string>): boolean {
  const keys = keysOfDamaged(line);
  return keys === undefined || keys.some((key) => gone.has(keyText(key)));
}

/** A segment as it is without some of its records. */
export interface ThinnedSegment {
  readonly bytes: Buffer;
  readonly isEmpty: boolean;
  /** Whether it was another one before. */
  readonly isChanged: boolean;
}

/**
 * Takes records out of a segment: spaces stand where they were, so that all others stay in their places. Damaged lines that name one
 * of them, or nobody knows whom, go with them.
 * Cost: a parse and a copy of the segment.
 */
export function withoutRecords(before: Buffer, gone: ReadonlySet<string>): ThinnedSegment {
  const bytes = Buffer.from(before);
  let [isEmpty, isChanged] = [true, false];
  for (const line of linesOf(before)) {
    const { at, length, holds } = line;
    if (holds === 'nothing') continue;
    const isDamaged = holds === 'damage';
    const stay = isDamaged ? [] : holds.filter(({ key }) => !gone.has(keyText(key)));
    const goes = isDamaged
      ? namesOne(before.subarray(at, at + length), gone)
      : stay.length < holds.length;
    if (goes) refill(bytes, line, stay);
    isEmpty = isEmpty && goes && stay.length === 0;
    isChanged = isChanged || goes;
  }
  return { bytes, isEmpty, isChanged };
}

/** The records that a damaged line of the segment at `path` names, as far as they lie there. */
export function namedInSegment(path: string, line: Buffer): RecordPlace[] {
  const [, collection = ''] = path.split('/');
  const file = posix.basename(path);
  return (keysOfDamaged(line) ?? [])
    .map((key) => ({ collection, key }))
    .filter((place) => place.key.length > 1 && segmentPath(place, file) === path);
}

/** A segment with spaces in the place of its damaged lines. */
export function withoutDamage(before: Buffer): Buffer {
  const bytes = Buffer.from(before);
  for (const line of linesOf(before)) if (line.holds === 'damage') refill(bytes, line, []);
  return bytes;
}
