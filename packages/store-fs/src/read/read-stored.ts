import { keyText, type RecordKey } from '@ctx/store/backend';
import { hasFolders, kindOfPlace } from '../files/file-layout.ts';
import { readWhole } from '../files/read-whole.ts';
import type { RecordFile } from '../files/record-file.ts';
import { linesOf, storedPath } from '../files/segment-file.ts';
import { isBlankLine } from '../files/segment-line.ts';
import { isMissing, readError } from '../files/system-errors.ts';
import type { SegmentPlace } from '../journal/journal-line.ts';
import { readRecordFile } from '../recover/rebuild-index.ts';
import { readRange, readSegmentRecord } from './read-segment.ts';

/** A record, and where the index has it. */
export interface StoredPlace {
  readonly collection: string;
  readonly key: RecordKey;
  readonly segment: SegmentPlace | undefined;
}

/** The record wherever in its segment it is: who edits the file by hand moves all that is after. */
async function findInSegment(
  root: string,
  { collection, key }: StoredPlace,
  path: string,
): Promise<RecordFile | undefined> {
  const name = keyText(key);
  return await readWhole(`${root}/${path}`, (bytes) => {
    for (const { holds } of linesOf(bytes)) {
      const records = typeof holds === 'string' ? [] : holds;
      const found = records.find((one) => keyText(one.key) === name);
      if (found?.collection === collection) return found;
    }
    return undefined;
  });
}

async function readInSegment(
  root: string,
  place: StoredPlace,
  segment: SegmentPlace,
): Promise<RecordFile | string | undefined> {
  const path = storedPath(place);
  if (kindOfPlace(`${root}/${path}`) === 'foreign') return 'no file lies in the place of a segment';
  const found = readSegmentRecord(root, place, segment) ?? (await findInSegment(root, place, path));
  if (found !== undefined) return found;
  const bytes = readRange(`${root}/${path}`, segment);
  const isGone = bytes.length === segment.length && isBlankLine(bytes);
  return isGone ? undefined : 'its line of the segment is damaged';
}

/**
 * What a record's file, or its line of a segment, holds; undefined where there is none, a text that says what is wrong with it.
 * @throws what the system's error means.
 */
export async function readStored(
  root: string,
  place: StoredPlace,
): Promise<RecordFile | string | undefined> {
  const path = storedPath(place);
  try {
    if (!hasFolders(root, path)) return undefined;
    if (place.segment !== undefined) return await readInSegment(root, place, place.segment);
    return await readRecordFile(root, path, place);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw readError(error, path);
  }
}
