import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CtxError } from '@ctx/core';
import {
  besidePath,
  kindOfPlace,
  previousPath,
  quarantineFolderName,
  temporaryName,
} from '../files/file-layout.ts';
import { moveFile, removeFile } from '../files/move-file.ts';
import { decodeRecordFile, encodeRecordFile, type RecordFile } from '../files/record-file.ts';
import { placeName, type RecordPlace } from '../files/record-place.ts';
import { isSegmentName } from '../files/segment-file.ts';
import { storeError, succeeds } from '../files/system-errors.ts';
import { syncFolder, writeNewFile } from '../files/write-atomically.ts';
import type { FsStoreSettings } from '../store-options.ts';
import { editedReason, editedRecord, slipIn } from './edited-file.ts';
import { moveToQuarantine } from './quarantine.ts';
import { type HeldIn, setLinesAside } from './set-aside-lines.ts';

/** A record's place whose file is to go. */
export interface BadPlace {
  readonly path: string;
  readonly reason: string;
  readonly record: RecordPlace | undefined;
  /** The version that the index knows; 0 where it knows none. */
  readonly version: number;
  /** Counter for the file of the copy that comes back. */
  readonly write: number;
  /** For a segment: which records its lines are of. */
  readonly heldIn?: HeldIn;
}

/** What became of it. */
export interface SetAside {
  readonly movedTo: string;
  /** The copy before, now in the record's place. */
  readonly restored: RecordFile | undefined;
  /** Other records that went with it: they were in the same line of a segment. */
  readonly lost: readonly RecordPlace[];
}

function previousOf(root: string, { path, record }: BadPlace): RecordFile | undefined {
  const place = join(root, previousPath(path));
  if (record === undefined || kindOfPlace(place) !== 'file') return undefined;
  const file = decodeRecordFile(readFileSync(place));
  if (typeof file === 'string' || file.collection !== record.collection) return undefined;
  return JSON.stringify(file.key) === JSON.stringify(record.key) ? file : undefined;
}

/** The copy before as the newest version, so that no version number is used for two contents. */
async function restore(root: string, bad: BadPlace, before: RecordFile): Promise<RecordFile> {
  const version = Math.max(bad.version, before.version + 1) + 1;
  const file = { ...before, version, write: bad.write };
  const target = join(root, bad.path);
  const temporary = besidePath(target, temporaryName());
  await writeNewFile(temporary, encodeRecordFile(file), 'power');
  try {
    moveFile(temporary, target);
    await syncFolder(dirname(target));
  } catch (error) {
    succeeds(() => {
      removeFile(temporary);
    });
    throw storeError(error, `bringing the copy before ${bad.path} back`);
  }
  return file;
}

/** The bytes of a document that people may edit. What is written once, such as an output, counts as damaged where it is other. */
function documentBytes(
  root: string,
  { previousCopies }: FsStoreSettings,
  { path, record }: BadPlace,
): Buffer | undefined {
  if (record === undefined || !previousCopies.includes(record.collection)) return undefined;
  const place = join(root, path);
  return kindOfPlace(place) === 'file' ? readFileSync(place) : undefined;
}

/** Returns the record of a document that was edited by hand. */
function editedOf(root: string, settings: FsStoreSettings, bad: BadPlace): RecordFile | undefined {
  const { record } = bad;
  const bytes = documentBytes(root, settings, bad);
  const edited = bytes && editedRecord(bytes);
  if (record === undefined || edited === undefined) return undefined;
  return placeName(edited) === placeName(record) ? edited : undefined;
}

/**
 * Leaves a document in its place that was edited by hand and is no JSON any more: who edited it can mend it.
 * @throws `CTX_STORE_CORRUPT`, saying where it went wrong.
 */
export function refuseSlip(root: string, settings: FsStoreSettings, bad: BadPlace): void {
  const bytes = documentBytes(root, settings, bad);
  const slip = bytes && slipIn(bytes);
  if (slip === undefined) return;
  const text = `${bad.path} was edited outside of ctx and is no JSON (${slip}); mend it there`;
  throw new CtxError('CTX_STORE_CORRUPT', text);
}

/** Makes an edit by hand the newest version, so that who has read the one before gets a conflict. */
async function takeIn(
  root: string,
  settings: FsStoreSettings,
  { bad, edited }: { readonly bad: BadPlace; readonly edited: RecordFile },
): Promise<SetAside> {
  const restored = await restore(root, bad, edited);
  succeeds(() => {
    settings.onQuarantine({
      ...{ path: bad.path, movedTo: bad.path, reason: editedReason, restored: true },
    });
  });
  return { movedTo: bad.path, restored, lost: [] };
}

/**
 * Moves what cannot be read out of a record's place into the quarantine, brings the copy before back where there is one,
 * and reports. A document that was edited by hand stays, with its edit as the newest version. The lock is held.
 */
export async function setAside(
  root: string,
  settings: FsStoreSettings,
  bad: BadPlace,
): Promise<SetAside> {
  const { path, reason, record } = bad;
  const isLine = isSegmentName(basename(path)) && kindOfPlace(join(root, path)) === 'file';
  const edited = isLine ? undefined : editedOf(root, settings, bad);
  if (edited !== undefined) return await takeIn(root, settings, { bad, edited });
  const before = isLine ? undefined : previousOf(root, bad);
  const found = { path, reason, record, at: settings.clock() };
  const { movedTo, lost } = isLine
    ? await setLinesAside(root, found, bad.heldIn && { heldIn: bad.heldIn })
    : { movedTo: await moveToQuarantine(root, found), lost: [] };
  const restored = before === undefined ? undefined : await restore(root, bad, before);
  const report = { path, reason, movedTo: `${quarantineFolderName}/${movedTo}` };
  succeeds(() => {
    settings.onQuarantine({ ...report, restored: restored !== undefined });
  });
  return { movedTo, restored, lost };
}
