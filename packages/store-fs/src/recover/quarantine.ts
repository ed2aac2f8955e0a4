import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { CtxError } from '@ctx/core';
import type { RecordKey } from '@ctx/store/backend';
import { quarantineFolderName } from '../files/file-layout.ts';
import { moveFile } from '../files/move-file.ts';
import { placeName, type RecordPlace } from '../files/record-place.ts';
import { isMissing, storeError, succeeds, systemCode } from '../files/system-errors.ts';
import { writeNewFile } from '../files/write-atomically.ts';
import type { QuarantineStep } from '../journal/journal-line.ts';

const noteEnding = '.note.json';

/** A file in a record's place that is none. */
export interface BadFile {
  /** Below the store's folder. */
  readonly path: string;
  readonly reason: string;
  /** The record whose place it was; undefined where the place belongs to no record. */
  readonly record: RecordPlace | undefined;
  /** ms since the epoch. */
  readonly at: number;
}

/** A place below the quarantine for a file that stays where it is, at `path` below the store's folder. */
export function unmoved(path: string): string {
  return `../${path}`;
}

/** The error for a record whose file was set aside. */
export function corruptRecord(collection: string, key: RecordKey, movedTo: string): CtxError {
  const name = `${collection} ${JSON.stringify(key)}`;
  const path = posix.join(quarantineFolderName, movedTo);
  const text = `the file of ${name} could not be read and lies in ${path}`;
  const advice = 'write the record again, or delete it, which destroys that file, too';
  return new CtxError('CTX_STORE_CORRUPT', `${text}; ${advice}`);
}

function nameOf({ at, path }: BadFile): string {
  return `${at}-${randomBytes(8).toString('hex')}-${basename(path)}`.slice(0, 200);
}

/** Notes beside the file of the quarantine called `name` where it comes from. */
async function note(
  folder: string,
  bad: BadFile,
  { name, suffix }: { readonly name: string; readonly suffix: string },
): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify({ ...bad, movedTo: name }, null, 2)}\n`);
  await writeNewFile(join(folder, `${name}${suffix}${noteEnding}`), bytes, 'process');
}

/**
 * Moves a file, folder or link out of its place, with a note beside it. Gives its new name in the quarantine.
 * Nothing is overwritten or deleted, and a link is moved, not followed. The lock is held.
 */
export async function moveToQuarantine(root: string, bad: BadFile): Promise<string> {
  const folder = join(root, quarantineFolderName);
  const name = nameOf(bad);
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true });
    moveFile(join(root, bad.path), join(folder, name));
  } catch (error) {
    throw storeError(error, `moving ${bad.path} to ${quarantineFolderName}`);
  }
  // Without room for the note the file is still safe and still named by its old name.
  await note(folder, bad, { name, suffix: '' }).catch(() => undefined);
  return name;
}

/** Damaged bytes of a file that stays, and the records whose they were. */
export interface DamagedLine {
  readonly line: Buffer;
  readonly named: readonly RecordPlace[];
}

/**
 * Puts a copy of what is damaged into the quarantine, with a note for each record that it names. Gives its name there.
 * @throws what the system's error means; then it lies where it was.
 */
export async function copyToQuarantine(
  root: string,
  bad: BadFile,
  { line, named }: DamagedLine,
): Promise<string> {
  const folder = join(root, quarantineFolderName);
  const name = nameOf(bad);
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true });
    await writeNewFile(join(folder, name), line, 'power');
    const records = named.length === 0 ? [undefined] : named;
    for (const [at, record] of records.entries())
      await note(folder, { ...bad, record }, { name, suffix: `-${String(at)}` });
  } catch (error) {
    throw storeError(error, `copying lines of ${bad.path} to ${quarantineFolderName}`);
  }
  return name;
}

function notesOf(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(noteEnding));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function noteOf(name: string, text: string): Note | undefined {
  const note: unknown = JSON.parse(text);
  if (typeof note !== 'object' || note === null) return undefined;
  const { record, movedTo, reason } = note as Partial<Record<'movedTo' | 'reason', unknown>> & {
    readonly record?: Partial<QuarantineStep>;
  };
  const { collection, key } = record ?? {};
  if (typeof collection !== 'string' || !Array.isArray(key) || typeof movedTo !== 'string') {
    return undefined;
  }
  const place = { collection, key: key.map(String), movedTo: basename(movedTo) };
  return { name, step: { change: 'quarantine', ...place }, reason: String(reason) };
}

interface Note {
  readonly name: string;
  readonly step: QuarantineStep;
  readonly reason: string;
}

/** Reads the notes of a quarantine that can be read. */
export function readNotes(folder: string): Note[] {
  const notes: Note[] = [];
  for (const name of notesOf(folder)) {
    succeeds(() => {
      const note = noteOf(name, readFileSync(join(folder, name), 'utf8'));
      if (note !== undefined) notes.push(note);
    });
  }
  return notes;
}

/** The records whose files lie in the quarantine. */
export function quarantinedRecords(root: string): QuarantineStep[] {
  return readNotes(join(root, quarantineFolderName)).map(({ step }) => step);
}

/** Destroys what the quarantine holds of records that were deleted: a delete promises that nothing is left, as the error of a read says. Looks once where there is no quarantine. */
export function purgeQuarantine(root: string, records: readonly RecordPlace[]): void {
  const folder = join(root, quarantineFolderName);
  const gone = new Set(records.map(placeName));
  try {
    if (notesOf(folder).length === 0) return;
    for (const { name, step } of readNotes(folder)) {
      if (!gone.has(placeName(step))) continue;
      // What was damaged in a line of several records goes with the first of them.
      rmSync(join(folder, step.movedTo), { recursive: true, force: true });
      rmSync(join(folder, name), { force: true });
    }
  } catch (error) {
    throw storeError(error, `emptying ${quarantineFolderName} (${systemCode(error)})`);
  }
}
