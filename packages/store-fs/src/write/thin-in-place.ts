import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { segmentPath } from '../files/segment-file.ts';
import { syncFileAt } from '../files/write-atomically.ts';
import type { SegmentStep } from '../journal/journal-line.ts';
import { thinned } from './thinned.ts';

/** Writes spaces over the records of a segment that went. Safe to repeat. */
export async function thinInPlace(root: string, step: SegmentStep): Promise<void> {
  const path = segmentPath(step, step.file);
  const left = thinned(root, path, step.gone);
  if (left?.isChanged !== true) return;
  const place = join(root, path);
  const file = openSync(place, 'r+');
  try {
    writeSync(file, left.bytes, 0, left.bytes.length, 0);
  } finally {
    closeSync(file);
  }
  await syncFileAt(place);
}
