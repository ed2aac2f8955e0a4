import { closeSync, constants, fstatSync, openSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isCtxError } from '@ctx/core';
import { kindOfPlace, makeFolders, removeEmptyFolders } from '../files/file-layout.ts';
import { removeFile } from '../files/move-file.ts';
import {
  mostLineBytes,
  mostSegmentBytes,
  segmentName,
  segmentPath,
} from '../files/segment-file.ts';
import { encodeSegmentLine } from '../files/segment-line.ts';
import { storeError, succeeds } from '../files/system-errors.ts';
import {
  type Durability,
  openNew,
  syncFolder,
  syncToDisk,
  writeFully,
} from '../files/write-atomically.ts';
import type { OpenSegment } from '../index/record-shelf.ts';
import type { PutStep, SegmentPlace } from '../journal/journal-line.ts';
import type { LockedTurn } from '../state/store-state.ts';
import { isOnlyNew, type NewRecord } from './apply-new.ts';
import type { PlannedStep } from './plan-write.ts';

/** New records of one write that share a line, and the line with its end. */
export interface AppendedRecords {
  readonly first: NewRecord;
  readonly records: readonly NewRecord[];
  readonly bytes: Buffer;
}

function isBeside(first: NewRecord, { collection, key }: NewRecord): boolean {
  if (collection !== first.collection || key.length !== first.key.length) return false;
  return key.slice(0, -1).every((part, at) => part === first.key[at]);
}

function sharesFiles({ settings }: LockedTurn, { collection, key }: NewRecord): boolean {
  const { segments, previousCopies } = settings;
  return segments.includes(collection) && !previousCopies.includes(collection) && key.length > 1;
}

/**
 * The records of a write that makes short records of one folder and does nothing else, in a collection whose records share files.
 * Undefined for any other write.
 */
export function onlyAppends(
  turn: LockedTurn,
  planned: readonly PlannedStep[],
): AppendedRecords | undefined {
  const records: NewRecord[] = [];
  for (const step of planned) if (isOnlyNew(turn, step)) records.push(step);
  const [first] = records;
  if (first === undefined || records.length < planned.length) return undefined;
  if (!sharesFiles(turn, first) || !records.every((one) => isBeside(first, one))) return undefined;
  const length = records.reduce((sum, { content }) => sum + content.body.length, 0);
  if (length > mostLineBytes) return undefined;
  const { write } = turn;
  const line = encodeSegmentLine(records.map((one) => ({ ...one, ...one.content, write })));
  if (line.length > mostLineBytes) return undefined;
  return { first, records, bytes: Buffer.concat([line, Buffer.from('\n')]) };
}

const toAppend = constants.O_RDWR | constants.O_NOFOLLOW;

/** Opens the segment that the index knows; undefined where it is full, gone, or another than the index knows. */
function openPresent(
  turn: LockedTurn,
  { first, bytes }: AppendedRecords,
  segment: OpenSegment,
): number | undefined {
  if (segment.end + bytes.length > mostSegmentBytes) return undefined;
  const path = segmentPath(first, segment.file);
  if (!turn.folders.leadTo(path)) return undefined;
  let file: number | undefined;
  try {
    file = openSync(join(turn.root, path), toAppend);
    if (fstatSync(file).size === segment.end) return file;
    closeSync(file);
  } catch {
    // A new one is begun, which tells what is wrong with the disk.
    const opened = file;
    if (opened !== undefined)
      succeeds(() => {
        closeSync(opened);
      });
  }
  return undefined;
}

/** A segment in the making or that grows. */
interface Growing {
  readonly path: string;
  readonly place: SegmentPlace;
  file: number | undefined;
  /** Whether this write has made the file. */
  isBegun: boolean;
  /** Folders that were made for it. */
  made: readonly string[];
}

function choose(turn: LockedTurn, appended: AppendedRecords): Growing {
  const { first, bytes } = appended;
  const present = turn.index.segment(first.collection, first.key);
  const file = present && openPresent(turn, appended, present);
  const isPresent = file !== undefined && present !== undefined;
  const name = isPresent ? present.file : segmentName(turn.write);
  const place = { file: name, at: isPresent ? present.end : 0, length: bytes.length - 1 };
  return { path: segmentPath(first, name), place, file, isBegun: false, made: [] };
}

async function begin(turn: LockedTurn, growing: Growing): Promise<number> {
  const { path } = growing;
  const target = join(turn.root, path);
  if (!turn.folders.leadTo(path)) growing.made = makeFolders(turn.root, path);
  if (kindOfPlace(target) !== 'nothing')
    await turn.setAside(path, 'the file is not of this store', undefined);
  const file = openNew(target, 'beginning a segment');
  growing.isBegun = true;
  return file;
}

async function sync({ root }: LockedTurn, { path, file, place, made }: Growing): Promise<void> {
  const folders = place.at > 0 ? [] : [path, ...made].map((one) => dirname(join(root, one)));
  const syncs = [...(file === undefined ? [] : [syncToDisk(file)]), ...folders.map(syncFolder)];
  // None may be under way any more when the file is closed.
  for (const result of await Promise.allSettled(syncs))
    if (result.status === 'rejected') throw result.reason;
}

/** Some file systems tell only here that the bytes did not fit. The number is free afterwards even when this fails. */
function close(growing: Growing): void {
  const { file } = growing;
  growing.file = undefined;
  if (file !== undefined) closeSync(file);
}

async function grow(
  turn: LockedTurn,
  growing: Growing,
  { bytes, durability }: { readonly bytes: Buffer; readonly durability: Durability },
): Promise<void> {
  turn.check();
  growing.file ??= await begin(turn, growing);
  await writeFully(growing.file, bytes, growing.place.at);
  if (durability === 'power') await sync(turn, growing);
  close(growing);
}

/** Removes the line again. If that fails, what stays after the segment's end keeps others from adding to it. */
function shrink({ root }: LockedTurn, growing: Growing): void {
  const { path, place, isBegun } = growing;
  succeeds(() => {
    close(growing);
  });
  succeeds(() => {
    if (isBegun) removeFile(join(root, path));
    else if (place.at > 0) truncateSync(join(root, path), place.at);
  });
  if (place.at === 0) removeEmptyFolders(root, path);
}

/**
 * Adds new records to a segment, or begins one. There is nothing that could be lost, and the checksum of the line tells whether all of it
 * is there.
 * As that of `applyWrite`; the journal names the line before it is written, so that whoever finds it unfinished takes it away.
 * Writes once into a file that is there, and every few dozen writes a new file.
 */
export async function applyAppend(
  turn: LockedTurn,
  appended: AppendedRecords,
  durability: Durability,
): Promise<void> {
  const { write } = turn;
  const { bytes, records } = appended;
  const growing = choose(turn, appended);
  const { place: segment } = growing;
  const steps = records.map(
    ({ collection, key, version, columns, content: { words } }): PutStep => {
      return { change: 'put', collection, key, version, columns, temporary: '', words, segment };
    },
  );
  try {
    await turn.log([{ type: 'write', write, steps }], false);
    await grow(turn, growing, { bytes, durability });
  } catch (error) {
    // Whoever took the lock over has settled this write already.
    if (isCtxError(error, 'CTX_STORE_BUSY')) {
      succeeds(() => {
        close(growing);
      });
    } else {
      turn.unlog();
      shrink(turn, growing);
    }
    throw storeError(error, 'adding to a segment');
  }
  turn.commit();
}
