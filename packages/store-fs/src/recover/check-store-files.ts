import { readFileSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import type { CollectionDefinition } from '@ctx/store/backend';
import { isRecordName, kindOfPlace, recordPath } from '../files/file-layout.ts';
import { placeName, type RecordPlace } from '../files/record-place.ts';
import { isSegmentName, linesOf, namedInSegment } from '../files/segment-file.ts';
import { isMissing, readError } from '../files/system-errors.ts';
import { walkFiles } from '../files/walk-files.ts';
import { checkIsStore, knownKeyLengths } from '../lock/store-mark.ts';
import { quarantinedRecords } from './quarantine.ts';
import { readRecordFile } from './rebuild-index.ts';

/** A place of a file store that cannot be read. */
export interface FileDamage {
  /** Below the store's folder. */
  readonly path: string;
  /** What is wrong with it, with the range of bytes where it is a part of the file. */
  readonly reason: string;
  /** How many records it is known to be of; 0 where its names are damaged, too. */
  readonly records: number;
  /** Whether the rest of the file can be read. */
  readonly isPart: boolean;
}

/** What a check of all files found. */
export interface FileCheck {
  readonly damage: readonly FileDamage[];
  /** Files of records that were set aside before and wait to be put right. */
  readonly setAside: number;
  readonly files: number;
}

/** Calls `onRecord` for each record that can be read. */
function segmentDamage(
  root: string,
  path: string,
  onRecord: (place: RecordPlace) => void,
): FileDamage[] {
  const bytes = readFileSync(`${root}/${path}`);
  const damage: FileDamage[] = [];
  for (const { at, length, holds } of linesOf(bytes)) {
    if (typeof holds !== 'string') holds.forEach(onRecord);
    // A last line without an end is on its way, or was never acknowledged.
    if (holds !== 'damage' || at + length === bytes.length) continue;
    const named = namedInSegment(path, bytes.subarray(at, at + length));
    const reason = `bytes ${String(at)} to ${String(at + length - 1)} do not fit their checksum`;
    damage.push({ path, reason, records: named.length, isPart: true });
  }
  return damage;
}

async function damageOf(
  root: string,
  path: string,
  onRecord: (place: RecordPlace) => void,
): Promise<FileDamage[]> {
  try {
    if (isSegmentName(basename(path))) return segmentDamage(root, path, onRecord);
    const found = await readRecordFile(root, path);
    return typeof found === 'string' ? [{ path, reason: found, records: 1, isPart: false }] : [];
  } catch (error) {
    if (isMissing(error)) return [];
    throw readError(error, path);
  }
}

/**
 * Compares every file of a store with its checksum, and changes nothing. Reads all of them.
 * @throws `CTX_INVALID_INPUT` for a folder that is no store; `CTX_STORE_IO` where it cannot be read.
 */
export async function checkStoreFiles(
  path: string,
  collections: readonly CollectionDefinition[],
): Promise<FileCheck> {
  let root: string;
  try {
    root = realpathSync(path);
    checkIsStore(root);
  } catch (error) {
    throw readError(error, path);
  }
  const aside = new Map(quarantinedRecords(root).map((one) => [placeName(one), one]));
  const onRecord = (place: RecordPlace): void => {
    aside.delete(placeName(place));
  };
  const damage: FileDamage[] = [];
  let files = 0;
  for (const found of walkFiles(root, knownKeyLengths(root, collections))) {
    if (!isRecordName(found.name) && !isSegmentName(found.name)) continue;
    files += 1;
    const reason = 'a link or device lies in the place of a record';
    if (found.isFile) damage.push(...(await damageOf(root, found.path, onRecord)));
    else damage.push({ path: found.path, reason, records: 1, isPart: false });
  }
  // A record written again since has a file.
  for (const [name, { collection, key }] of aside) {
    if (kindOfPlace(`${root}/${recordPath(collection, key)}`) !== 'nothing') aside.delete(name);
  }
  return { damage, setAside: aside.size, files };
}
