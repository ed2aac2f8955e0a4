import { closeSync, openSync, readSync } from 'node:fs';
import { keyText } from '@ctx/store/backend';
import { readOnly } from '../files/read-whole.ts';
import type { RecordFile } from '../files/record-file.ts';
import type { RecordPlace } from '../files/record-place.ts';
import { segmentPath } from '../files/segment-file.ts';
import { decodeSegmentLine } from '../files/segment-line.ts';
import type { SegmentPlace } from '../journal/journal-line.ts';

/** The bytes at a place of a segment, fewer where it ends before. Throws what the system throws: `ELOOP` for a link. */
export function readRange(path: string, { at, length }: SegmentPlace): Buffer {
  const file = openSync(path, readOnly);
  try {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, at));
  } finally {
    closeSync(file);
  }
}

/**
 * The records of a line; undefined where it is not as it was written, or no longer there. `path` is the segment's, absolute.
 * Reads the line alone. Throws as {@link readRange}.
 */
export function readSegmentLine(
  path: string,
  place: SegmentPlace,
): readonly RecordFile[] | undefined {
  return decodeSegmentLine(readRange(path, place));
}

/** The record at a place of a segment; undefined where the line is damaged or holds it no longer. Throws as {@link readRange}. */
export function readSegmentRecord(
  root: string,
  record: RecordPlace,
  place: SegmentPlace,
): RecordFile | undefined {
  const line = readSegmentLine(`${root}/${segmentPath(record, place.file)}`, place);
  const name = keyText(record.key);
  return line?.find(
    ({ collection, key }) => collection === record.collection && keyText(key) === name,
  );
}
