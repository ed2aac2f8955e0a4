import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { isCtxError } from '@ctx/core';
import type { Finding } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { quarantineFolderName } from '../files/file-layout.ts';
import { readNotes } from './quarantine.ts';

/** Returns whether a record still cannot be read. It may have been written again since. */
async function isUnreadable(backend: StoreBackend, { collection, key }: Finding): Promise<boolean> {
  try {
    await backend.get(collection, [key], 'columns');
    return false;
  } catch (error) {
    if (isCtxError(error, 'CTX_STORE_CORRUPT')) return true;
    throw error;
  }
}

/** Returns the records whose files the store at `path` could not read and set aside: they are in no list any more. */
export async function setAsideRecords(path: string, backend: StoreBackend): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { step, reason } of readNotes(join(path, quarantineFolderName))) {
    const { collection, key } = step;
    const finding: Finding = {
      ...{ kind: 'broken-record', collection, key },
      what: `its file was set aside: ${reason}`,
      repair: { how: 'quarantined', keep: [], operations: [{ type: 'delete', collection, key }] },
    };
    if (await isUnreadable(backend, finding)) findings.push(finding);
  }
  return findings;
}

/** Copies what the store at `path` set aside into a folder, since a delete of the record destroys it here. */
export async function copySetAside(path: string, folder: string): Promise<void> {
  const own = join(path, quarantineFolderName);
  if (readNotes(own).length === 0) return;
  // A link is copied as a link, never followed.
  await cp(own, join(folder, 'set-aside'), { recursive: true, force: false });
}
