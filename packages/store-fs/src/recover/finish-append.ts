import { closeSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeEmptyFolders } from '../files/file-layout.ts';
import { removeFile } from '../files/move-file.ts';
import { segmentPath } from '../files/segment-file.ts';
import { storeError, succeeds } from '../files/system-errors.ts';
import { syncFileAt, syncFolder } from '../files/write-atomically.ts';
import type { PutStep, SegmentPlace, WriteLine } from '../journal/journal-line.ts';
import { readSegmentLine } from '../read/read-segment.ts';

/** A step that added a record to a segment. */
interface AppendStep extends PutStep {
  readonly segment: SegmentPlace;
}

/** The first step of a write that added a line to a segment and did nothing else; undefined for other writes. */
export function appendOf({ steps: [step] }: WriteLine): AppendStep | undefined {
  if (step?.change !== 'put' || step.segment === undefined) return undefined;
  return { ...step, segment: step.segment };
}

function isWritten(path: string, place: SegmentPlace, write: number): boolean {
  try {
    return readSegmentLine(path, place)?.[0]?.write === write;
  } catch {
    // Nobody was told that it is there.
    return false;
  }
}

/** Takes away what there is of the line, unless more is after it than was written. */
function takeBack(path: string, { at, length }: SegmentPlace): void {
  if (at === 0) {
    removeFile(path);
    return;
  }
  const file = openSync(path, 'r+');
  try {
    const { size } = fstatSync(file);
    if (size > at && size <= at + length + 1) ftruncateSync(file, at);
  } finally {
    closeSync(file);
  }
}

/**
 * Ends a write to a segment that its process did not: forward where the line is whole, else back. Tells whether it went forward.
 * Safe to repeat. The lock is held.
 */
export async function settleAppend(
  root: string,
  write: number,
  step: AppendStep,
): Promise<boolean> {
  const below = segmentPath(step, step.segment.file);
  const path = join(root, below);
  if (!isWritten(path, step.segment, write)) {
    succeeds(() => {
      takeBack(path, step.segment);
    });
    removeEmptyFolders(root, below);
    return false;
  }
  try {
    // Its process may have died before it was on the disk.
    await syncFileAt(path);
    await syncFolder(dirname(path));
  } catch (error) {
    throw storeError(error, 'ending an interrupted write');
  }
  return true;
}
