import { posix } from 'node:path';
import { idOfSafeName, keyText } from '@ctx/store/backend';
import type { SegmentPlace } from '../journal/journal-line.ts';
import { recordPath } from './file-layout.ts';
import type { RecordFile } from './record-file.ts';
import type { RecordPlace } from './record-place.ts';
import {
  decodeSegmentLine,
  encodeSegmentLine,
  isBlankLine,
  isWholeLine,
  keysInLine,
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

/** The write that began a segment, told by its path. */
export function writeOfSegment(path: string): number {
  return Number(path.slice(path.lastIndexOf('-') + 1, -'.jsonl'.length));
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

interface LinePlace {
  readonly at: number;
  readonly length: number;
  readonly line: Buffer;
}

function* placesOf(bytes: Buffer): Generator<LinePlace> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(lineEnd, at);
    const length = (end === -1 ? bytes.length : end) - at;
    yield { at, length, line: bytes.subarray(at, at + length) };
    at += length + 1;
  }
}

function holdsOf(line: Buffer): SegmentLine['holds'] {
  return isBlankLine(line) ? 'nothing' : (decodeSegmentLine(line) ?? 'damage');
}

/** Gives the lines of a segment, a last one without an end included. Parses all of them. */
export function* linesOf(bytes: Buffer): Generator<SegmentLine> {
  for (const { at, length, line } of placesOf(bytes)) yield { at, length, holds: holdsOf(line) };
}

/** Writes spaces over a line, and in their place the records that stay. */
function refill(
  bytes: Buffer,
  { at, length }: Omit<SegmentLine, 'holds'>,
  stay: readonly RecordFile[],
): void {
  bytes.fill(space, at, at + length);
  if (stay.length > 0) encodeSegmentLine(stay).copy(bytes, at);
}

/** Names of the records of a segment's whole lines. Makes a pass, and parses the names. */
function namesInWhole(bytes: Buffer): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { line } of placesOf(bytes))
    if (isWholeLine(line)) for (const key of keysInLine(line) ?? []) names.add(keyText(key));
  return names;
}

/** Whether a damaged line may be of a record that goes: it names one, or its names are damaged, too. */
function mayGo(line: Buffer, gone: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  const names = keysInLine(line)?.map(keyText);
  return names === undefined || names.some((name) => gone.has(name) || whole.has(name));
}

/** A segment as it is without some of its records. */
export interface ThinnedSegment {
  readonly bytes: Buffer;
  readonly isEmpty: boolean;
  /** Whether it was another one before. */
  readonly isChanged: boolean;
  /** Names of the records that go and are in no whole line, where a line is damaged. */
  readonly damaged: ReadonlySet<string>;
}

/**
 * Takes records out of a segment: spaces stand where they were, so that all others stay in their places. Where one of them is in no
 * whole line, damaged lines that may be of it go.
 * Copies the segment, makes two passes, and parses the lines that records leave.
 */
export function withoutRecords(before: Buffer, gone: ReadonlySet<string>): ThinnedSegment {
  const bytes = Buffer.from(before);
  const whole = namesInWhole(before);
  const lost = [...gone].filter((name) => !whole.has(name));
  const restOf = (line: Buffer): readonly RecordFile[] | undefined => {
    if (!isWholeLine(line)) return lost.length > 0 && mayGo(line, gone, whole) ? [] : undefined;
    if (keysInLine(line)?.some((key) => gone.has(keyText(key))) !== true) return undefined;
    return decodeSegmentLine(line)?.filter(({ key }) => !gone.has(keyText(key)));
  };
  let [isEmpty, isChanged, isDamaged] = [true, false, false];
  for (const place of placesOf(before)) {
    if (isBlankLine(place.line)) continue;
    const rest = restOf(place.line);
    if (rest !== undefined) refill(bytes, place, rest);
    isEmpty = isEmpty && rest?.length === 0;
    isChanged = isChanged || rest !== undefined;
    isDamaged = isDamaged || !isWholeLine(place.line);
  }
  return { bytes, isEmpty, isChanged, damaged: new Set(isDamaged ? lost : []) };
}

/** The records that a damaged line of the segment at `path` names, as far as they lie there. */
export function namedInSegment(path: string, line: Buffer): RecordPlace[] {
  const [, collection = ''] = path.split('/');
  const file = posix.basename(path);
  return (keysInLine(line) ?? [])
    .map((key) => ({ collection, key }))
    .filter((place) => place.key.length > 1 && segmentPath(place, file) === path);
}

/** What the records of a segment have in common: all of their keys but the last part. `undefined` where a part was shortened. */
export function placeOfSegment(path: string): RecordPlace | undefined {
  const [tenant = '', collection = '', ...parts] = posix.dirname(path).split('/');
  const key = [tenant, ...parts].map(idOfSafeName);
  return key.every((part) => part !== undefined) ? { collection, key } : undefined;
}

/** A segment with spaces in the place of its damaged lines. */
export function withoutDamage(before: Buffer): Buffer {
  const bytes = Buffer.from(before);
  for (const line of linesOf(before)) if (line.holds === 'damage') refill(bytes, line, []);
  return bytes;
}
