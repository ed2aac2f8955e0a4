import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyLengths } from '../lock/store-mark.ts';
import { isLeftover, isRecordName, isSafeName } from './file-layout.ts';
import { isSegmentName } from './segment-file.ts';
import { isMissing } from './system-errors.ts';

/** Something in a folder of records that is no folder. */
export interface FoundFile {
  /** Below the store's folder. */
  readonly path: string;
  readonly name: string;
  /** Whether it is an ordinary file, and not a link or device. */
  readonly isFile: boolean;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Only what a write of ours may have made: records, segments, files in the making and files set aside. */
function isOurs(name: string): boolean {
  return isRecordName(name) || isLeftover(name) || isSegmentName(name);
}

function* filesAtDepth(root: string, below: string, depth: number): Generator<FoundFile> {
  for (const entry of entriesOf(join(root, below))) {
    const { name } = entry;
    const path = `${below}/${name}`;
    if (entry.isDirectory()) {
      if (depth > 0 && isSafeName(name)) yield* filesAtDepth(root, path, depth - 1);
    } else if (depth === 0 && isOurs(name)) yield { path, name, isFile: entry.isFile() };
  }
}

/** The folder of a tenant: collections with one key part have their records right here. */
function* filesOfTenant(
  root: string,
  tenant: string,
  keyLengths: KeyLengths,
): Generator<FoundFile> {
  const hasRecords = [...keyLengths.values()].includes(1);
  for (const entry of entriesOf(join(root, tenant))) {
    const { name } = entry;
    const path = `${tenant}/${name}`;
    if (entry.isDirectory()) {
      const length = keyLengths.get(name) ?? 0;
      if (length > 1) yield* filesAtDepth(root, path, length - 2);
      continue;
    }
    const isRecord = isRecordName(name) && keyLengths.get(name.slice(0, -'.json'.length)) === 1;
    if (isRecord || (hasRecords && isLeftover(name))) {
      yield { path, name, isFile: entry.isFile() };
    }
  }
}

/**
 * Gives the files and links that lie where records of these collections lie: `TENANT/COLLECTION/…` in the depth of its keys,
 * under names that ids have. Nothing else is given, and no other folder is walked. Links are never followed.
 * Reads each folder once and opens no file.
 */
export function* walkFiles(root: string, keyLengths: KeyLengths): Generator<FoundFile> {
  for (const entry of entriesOf(root)) {
    if (!entry.isDirectory() || !isSafeName(entry.name)) continue;
    yield* filesOfTenant(root, entry.name, keyLengths);
  }
}
