import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CtxError, isCtxError } from '@ctx/core';
import {
  besidePath,
  kindOfPlace,
  makeFolders,
  recordPath,
  removeEmptyFolders,
  temporaryName,
} from '../files/file-layout.ts';
import { removeFile } from '../files/move-file.ts';
import { encodeRecordFile } from '../files/record-file.ts';
import { storedPath } from '../files/segment-file.ts';
import { succeeds } from '../files/system-errors.ts';
import { type Durability, syncFolder, writeNewFile } from '../files/write-atomically.ts';
import type { FileStep, PutStep } from '../journal/journal-line.ts';
import { readStored } from '../read/read-stored.ts';
import { editedRecord, slipIn } from '../recover/edited-file.ts';
import { corruptRecord, purgeQuarantine } from '../recover/quarantine.ts';
import type { LockedTurn } from '../state/store-state.ts';
import { applyAppend, onlyAppends } from './apply-append.ts';
import { applyNew, onlyNewRecord } from './apply-new.ts';
import { exchangeFiles, stepPaths, targetPath } from './exchange-files.ts';
import type { PlannedPut, PlannedStep } from './plan-write.ts';
import { thinSegments } from './thin-segments.ts';

/** Files that are synced at the same time. */
const parallelWrites = 4;

/** What the record's file shall hold: for a patch the body and words that it holds now. */
async function contentOf(
  turn: LockedTurn,
  step: PlannedPut,
): Promise<NonNullable<PlannedPut['content']>> {
  if (step.content !== undefined) return step.content;
  const { collection, key } = step;
  const place = { collection, key, segment: turn.index.entry(collection, key)?.segment };
  const file = (await readStored(turn.root, place)) ?? 'the file is gone';
  if (typeof file !== 'string') return file;
  const movedTo = await turn.setAside(storedPath(place), file, { collection, key });
  throw corruptRecord(collection, key, movedTo);
}

/**
 * Refuses to overwrite a document that was edited by hand since it was read: the edit is taken in as a version of its own.
 * Reads a document once that keeps the copy before; no other record.
 */
async function keepEdit(turn: LockedTurn, { collection, key }: PlannedPut): Promise<void> {
  if (!turn.settings.previousCopies.includes(collection)) return;
  const entry = turn.index.entry(collection, key);
  if (entry === undefined || entry.segment !== undefined) return;
  const path = recordPath(collection, key);
  if (kindOfPlace(join(turn.root, path)) !== 'file') return;
  const file = await readStored(turn.root, { collection, key, segment: undefined });
  if (typeof file !== 'string') return;
  const bytes = readFileSync(join(turn.root, path));
  if (editedRecord(bytes) === undefined && slipIn(bytes) === undefined) return;
  await turn.setAside(path, file, { collection, key });
  const text = `${path} was edited outside of ctx since it was read; read it again`;
  throw new CtxError('CTX_STORE_CONFLICT', text);
}

async function writeTemporary(
  turn: LockedTurn,
  step: PlannedPut,
  durability: Durability,
): Promise<PutStep> {
  const { collection, key, version, columns } = step;
  const path = recordPath(collection, key);
  await keepEdit(turn, step);
  const { body, words } = await contentOf(turn, step);
  const bytes = encodeRecordFile({
    collection,
    key,
    version,
    columns,
    body,
    words,
    write: turn.write,
  });
  const made = makeFolders(turn.root, path);
  const target = join(turn.root, path);
  const temporary = temporaryName();
  try {
    const entry = turn.index.entry(collection, key);
    const isUnknown = entry === undefined || entry.segment !== undefined;
    const kind = kindOfPlace(target);
    if (kind === 'foreign' || (isUnknown && kind === 'file')) {
      await turn.setAside(path, 'the file is not of this store', undefined);
    }
    await writeNewFile(besidePath(target, temporary), bytes, durability);
    if (durability === 'power') {
      for (const folder of made) await syncFolder(dirname(join(turn.root, folder)));
    }
  } catch (error) {
    removeEmptyFolders(turn.root, path);
    throw error;
  }
  return {
    change: 'put',
    collection,
    key,
    version,
    columns,
    temporary,
    words: step.content?.words,
  };
}

function dropTemporaries(turn: LockedTurn, steps: readonly FileStep[]): void {
  for (const step of steps) {
    const { temporary, target } = stepPaths(turn.root, turn.write, { step, at: 0 });
    if (temporary !== target)
      succeeds(() => {
        removeFile(temporary);
      });
    removeEmptyFolders(turn.root, targetPath(step));
  }
}

function isInSegment({ index }: LockedTurn, { collection, key }: PlannedStep): boolean {
  return index.entry(collection, key)?.segment !== undefined;
}

/** Writes the new files of some steps beside the old ones, at the same time, and adds to `made` what there is. */
async function prepareBlock(
  turn: LockedTurn,
  block: readonly PlannedStep[],
  { durability, made }: { readonly durability: Durability; readonly made: FileStep[] },
): Promise<void> {
  const results = await Promise.allSettled(
    block.map(async (step) =>
      step.change === 'put'
        ? await writeTemporary(turn, step, durability)
        : { ...step, isInSegment: isInSegment(turn, step) },
    ),
  );
  for (const result of results) if (result.status === 'fulfilled') made.push(result.value);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** Writes the new files beside the old ones, a few at a time. After an error there are none. */
async function prepareSteps(
  turn: LockedTurn,
  planned: readonly PlannedStep[],
  durability: Durability,
): Promise<FileStep[]> {
  const made: FileStep[] = [];
  try {
    for (let at = 0; at < planned.length; at += parallelWrites)
      await prepareBlock(turn, planned.slice(at, at + parallelWrites), { durability, made });
    await thinSegments(turn, planned, { durability, made });
    return made;
  } catch (error) {
    dropTemporaries(turn, made);
    throw error;
  }
}

/** Deletes need no free space: on a full disk the index is dropped and rebuilt after the write. */
async function logWrite(
  turn: LockedTurn,
  steps: readonly FileStep[],
  durability: Durability,
): Promise<void> {
  try {
    await turn.log(
      [{ type: 'write', write: turn.write, steps }],
      steps.length > 1 && durability === 'power',
    );
  } catch (error) {
    const frees = steps.every(({ change }) => change !== 'put');
    if (!frees || !isCtxError(error, 'CTX_STORE_FULL')) {
      dropTemporaries(turn, steps);
      throw error;
    }
    turn.dropJournal();
  }
}

/**
 * Carries a planned write out, all or nothing, and commits it. The lock is held.
 * @throws `CTX_STORE_FULL`, `CTX_STORE_IO`, `CTX_STORE_READ_ONLY`, `CTX_STORE_CORRUPT` for a patch of an unreadable file.
 */
export async function applyWrite(
  turn: LockedTurn,
  planned: readonly PlannedStep[],
  durability: Durability,
): Promise<void> {
  const appended = onlyAppends(turn, planned);
  if (appended !== undefined) {
    await applyAppend(turn, appended, durability);
    return;
  }
  const only = onlyNewRecord(turn, planned);
  if (only !== undefined) {
    await applyNew(turn, only, durability);
    return;
  }
  const steps = await prepareSteps(turn, planned, durability);
  await logWrite(turn, steps, durability);
  try {
    const isTidy = await exchangeFiles({
      root: turn.root,
      write: turn.write,
      steps,
      durability,
      previousCopies: turn.settings.previousCopies,
      check: turn.check,
    });
    if (!isTidy) turn.sweepLater();
  } catch (error) {
    turn.unlog();
    for (const step of steps) removeEmptyFolders(turn.root, targetPath(step));
    throw error;
  }
  const deleted = steps.filter((step) => step.change === 'delete');
  if (deleted.length > 0) purgeQuarantine(turn.root, deleted);
  turn.commit();
}
