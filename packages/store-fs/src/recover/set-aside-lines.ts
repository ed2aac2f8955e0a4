import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { besidePath, temporaryName } from '../files/file-layout.ts';
import { moveFile, removeFile } from '../files/move-file.ts';
import { placeName, type RecordPlace } from '../files/record-place.ts';
import { linesOf, namedInSegment, type SegmentLine, withoutDamage } from '../files/segment-file.ts';
import { storeError, succeeds } from '../files/system-errors.ts';
import { syncFolder, writeNewFile } from '../files/write-atomically.ts';
import type { RecordIndex } from '../index/record-index.ts';
import { type BadFile, copyToQuarantine } from './quarantine.ts';

/** What became of the damaged lines of a segment. */
export interface LinesAside {
  readonly movedTo: string;
  /** The records that they name. */
  readonly lost: readonly RecordPlace[];
}

/**
 * Puts a segment that was written anew in the place of the one before, on the disk.
 * @throws what the system's error means.
 */
export async function replaceSegment(path: string, bytes: Buffer): Promise<void> {
  const temporary = besidePath(path, temporaryName());
  await writeNewFile(temporary, bytes, 'power');
  try {
    moveFile(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    succeeds(() => {
      removeFile(temporary);
    });
    throw storeError(error, 'rewriting a segment');
  }
}

/** The records of a line, whatever its bytes still say: damage to the end of a line joins it to the next. */
export type HeldIn = (line: Pick<SegmentLine, 'at' | 'length'>) => readonly RecordPlace[];

/** Finds in the index which records the lines of a segment are of: damage may have hit their names, too. */
export function heldBy(
  index: RecordIndex,
  record: RecordPlace | undefined,
  file: string | undefined,
): HeldIn {
  if (record === undefined || file === undefined) return () => [];
  const { collection, key } = record;
  const lines = index.inSegment(collection, key, file);
  return ({ at, length }) =>
    [...lines]
      .filter(([start]) => start >= at && start < at + length)
      .flatMap(([, keys]) => keys.map((one) => ({ collection, key: one })));
}

/** How it is found which records the damaged lines are of. */
export interface LineNames {
  /** Lets the records through that are named. Default: all. */
  readonly isNamed?: (place: RecordPlace) => boolean;
  /** Default: only the line itself says which they are. */
  readonly heldIn?: HeldIn;
}

interface DamagedPlace {
  readonly line: Buffer;
  readonly named: readonly RecordPlace[];
}

function damagedIn(path: string, bytes: Buffer, heldIn: HeldIn): DamagedPlace[] {
  const damaged: DamagedPlace[] = [];
  for (const { at, length, holds } of linesOf(bytes)) {
    if (holds !== 'damage') continue;
    const line = bytes.subarray(at, at + length);
    const named = [...namedInSegment(path, line), ...heldIn({ at, length })];
    const byName = new Map(named.map((place) => [placeName(place), place]));
    damaged.push({ line, named: [...byName.values()] });
  }
  return damaged;
}

/** Makes the file of the quarantine that stands for a record which no damaged line names. */
function copyNothing(root: string, bad: BadFile): Promise<string> {
  const named = bad.record === undefined ? [] : [bad.record];
  return copyToQuarantine(root, bad, { line: Buffer.alloc(0), named });
}

/**
 * Moves the damaged lines of a segment into the quarantine, one file for each and a note for each record that they name, and leaves
 * spaces in their places. `bad.record` is named by a file of its own where no line names it.
 * As that of `moveToQuarantine`. The lock is held.
 */
export async function setLinesAside(
  root: string,
  bad: BadFile,
  { isNamed = () => true, heldIn = () => [] }: LineNames = {},
): Promise<LinesAside> {
  const { path, record } = bad;
  const place = join(root, path);
  const before = readFileSync(place);
  const names = new Map<string, string>();
  const lost: RecordPlace[] = [];
  let first: string | undefined;
  for (const { line, named: all } of damagedIn(path, before, heldIn)) {
    const named = all.filter(isNamed);
    const moved = await copyToQuarantine(root, { ...bad, record: undefined }, { line, named });
    for (const one of named) names.set(placeName(one), moved);
    lost.push(...named);
    first ??= moved;
  }
  const known = record === undefined ? first : names.get(placeName(record));
  const movedTo = known ?? (await copyNothing(root, bad));
  if (first !== undefined) await replaceSegment(place, withoutDamage(before));
  return { movedTo, lost };
}
