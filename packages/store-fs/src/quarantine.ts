import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { CtxError, keyText, type RecordKey } from '@ctx/core';
import { quarantineFolderName } from './file-layout.ts';
import type { QuarantineStep } from './journal-line.ts';
import { isMissing, storeError, succeeds, systemCode } from './system-errors.ts';
import { writeNewFile } from './write-atomically.ts';

const noteEnding = '.note.json';

/** A file in a record's place that is none. */
export interface BadFile {
  /** Below the store's folder. */
  readonly path: string;
  readonly reason: string;
  /** The record whose place it was; undefined where the place belongs to no record. */
  readonly record: { readonly collection: string; readonly key: RecordKey } | undefined;
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
  return new CtxError('CTX_STORE_CORRUPT', `${text}; write the record anew, or delete it`);
}

/**
 * Moves a file, folder or link out of its place, with a note beside it. Gives its new name in the quarantine.
 * Contract: nothing is overwritten or deleted, and a link is moved, not followed. The lock is held.
 */
export async function moveToQuarantine(root: string, bad: BadFile): Promise<string> {
  const folder = join(root, quarantineFolderName);
  const name = `${bad.at}-${randomBytes(8).toString('hex')}-${basename(bad.path)}`.slice(0, 200);
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true });
    renameSync(join(root, bad.path), join(folder, name));
  } catch (error) {
    throw storeError(error, `moving ${bad.path} to ${quarantineFolderName}`);
  }
  const note = Buffer.from(`${JSON.stringify({ ...bad, movedTo: name }, null, 2)}\n`);
  // Without room for the note the file is still safe and still named by its old name.
  await writeNewFile(join(folder, `${name}${noteEnding}`), note, 'process').catch(() => undefined);
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

function stepOfNote(text: string): QuarantineStep | undefined {
  const note: unknown = JSON.parse(text);
  if (typeof note !== 'object' || note === null) return undefined;
  const { record, movedTo } = note as { record?: Partial<QuarantineStep>; movedTo?: unknown };
  const { collection, key } = record ?? {};
  if (typeof collection !== 'string' || !Array.isArray(key) || typeof movedTo !== 'string') {
    return undefined;
  }
  return { change: 'quarantine', collection, key: key.map(String), movedTo: basename(movedTo) };
}

/** The records whose files lie in the quarantine. */
export function quarantinedRecords(root: string): QuarantineStep[] {
  const folder = join(root, quarantineFolderName);
  const steps: QuarantineStep[] = [];
  for (const name of notesOf(folder)) {
    succeeds(() => {
      const step = stepOfNote(readFileSync(join(folder, name), 'utf8'));
      if (step !== undefined) steps.push(step);
    });
  }
  return steps;
}

/** Destroys what the quarantine holds of records that were deleted. Cost: one look where there is no quarantine. */
export function purgeQuarantine(
  root: string,
  records: readonly { readonly collection: string; readonly key: RecordKey }[],
): void {
  const folder = join(root, quarantineFolderName);
  const gone = new Set(records.map(({ collection, key }) => `${collection}\u0000${keyText(key)}`));
  try {
    if (notesOf(folder).length === 0) return;
    for (const { collection, key, movedTo } of quarantinedRecords(root)) {
      if (!gone.has(`${collection}\u0000${keyText(key)}`)) continue;
      rmSync(join(folder, movedTo), { recursive: true, force: true });
      rmSync(join(folder, `${movedTo}${noteEnding}`), { force: true });
    }
  } catch (error) {
    throw storeError(error, `emptying ${quarantineFolderName} (${systemCode(error)})`);
  }
}
