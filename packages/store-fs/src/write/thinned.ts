import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyText, type RecordKey } from '@ctx/store/backend';
import { hasFolders, kindOfPlace } from '../files/file-layout.ts';
import { type ThinnedSegment, withoutRecords } from '../files/segment-file.ts';

function namesOf(keys: readonly RecordKey[]): Set<string> {
  return new Set(keys.map(keyText));
}

/** A segment without its records; undefined where it is no file any more. */
export function thinned(
  root: string,
  path: string,
  gone: readonly RecordKey[],
): ThinnedSegment | undefined {
  const place = join(root, path);
  if (!hasFolders(root, path) || kindOfPlace(place) !== 'file') return undefined;
  return withoutRecords(readFileSync(place), namesOf(gone));
}
