import { join } from 'node:path';
import { isCtxError } from '@ctx/core';
import { keyText, type RecordKey } from '@ctx/store/backend';
import { besidePath, temporaryName } from '../files/file-layout.ts';
import { segmentPath } from '../files/segment-file.ts';
import { storeError } from '../files/system-errors.ts';
import { type Durability, writeNewFile } from '../files/write-atomically.ts';
import type { FileStep, SegmentStep } from '../journal/journal-line.ts';
import type { LockedTurn } from '../state/store-state.ts';
import type { PlannedStep } from './plan-write.ts';
import { thinned } from './thinned.ts';

/** A segment that records leave. */
interface LeftSegment {
  readonly collection: string;
  readonly key: RecordKey;
  readonly file: string;
  readonly gone: RecordKey[];
}

/** The segments that a write takes records out of: they go, or get files of their own. */
function leftSegments(turn: LockedTurn, planned: readonly PlannedStep[]): LeftSegment[] {
  const left = new Map<string, LeftSegment>();
  for (const { collection, key } of planned) {
    const file = turn.index.entry(collection, key)?.segment?.file;
    if (file === undefined) continue;
    const path = segmentPath({ collection, key }, file);
    const segment = left.get(path) ?? { collection, key, file, gone: [] };
    left.set(path, segment);
    segment.gone.push(key);
  }
  return [...left.values()];
}

/** Sets damaged lines aside that hold a record which goes: the others of these lines are lost with it, and are marked so. */
async function setDamageAside(
  turn: LockedTurn,
  { collection, gone }: LeftSegment,
  { path, damaged }: { readonly path: string; readonly damaged: ReadonlySet<string> },
): Promise<boolean> {
  const key = gone.find((one) => damaged.has(keyText(one)));
  if (key === undefined) return false;
  await turn.setAside(path, 'its line of the segment is damaged', { collection, key });
  return true;
}

async function thin(
  turn: LockedTurn,
  segment: LeftSegment,
  { durability, isInPlace }: { readonly durability: Durability; readonly isInPlace: boolean },
): Promise<SegmentStep | undefined> {
  const path = segmentPath(segment, segment.file);
  const before = thinned(turn.root, path, segment.gone);
  if (before === undefined) return undefined;
  const { damaged } = before;
  const isAside = !isInPlace && (await setDamageAside(turn, segment, { path, damaged }));
  const left = isAside ? thinned(turn.root, path, segment.gone) : before;
  if (left === undefined || !(left.isChanged || (isAside && left.isEmpty))) return undefined;
  const step = { change: 'segment', ...segment, isInPlace } as const;
  if (left.isEmpty) return { ...step, temporary: '', isInPlace: false };
  if (isInPlace) return { ...step, temporary: '' };
  const temporary = temporaryName();
  await writeNewFile(besidePath(join(turn.root, path), temporary), left.bytes, durability);
  return { ...step, temporary };
}

/**
 * Writes beside each segment what it shall be without the records that leave it. After an error the caller drops what there is.
 * On a full disk deletes go on: spaces will be written over the records where they are, and over damaged lines that may hold them.
 * Parses each segment and writes a new file for it.
 */
export async function thinSegments(
  turn: LockedTurn,
  planned: readonly PlannedStep[],
  { durability, made }: { readonly durability: Durability; readonly made: FileStep[] },
): Promise<void> {
  const isDelete = planned.every(({ change }) => change === 'delete');
  for (const segment of leftSegments(turn, planned)) {
    let step: SegmentStep | undefined;
    try {
      step = await thin(turn, segment, { durability, isInPlace: false });
    } catch (error) {
      if (!isDelete || !isCtxError(error, 'CTX_STORE_FULL'))
        throw storeError(error, 'rewriting a segment');
      step = await thin(turn, segment, { durability, isInPlace: true });
    }
    if (step !== undefined) made.push(step);
  }
}
