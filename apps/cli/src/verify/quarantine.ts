import { randomBytes } from 'node:crypto';
import { lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoreUrl } from '@ctx/agent-adapter/store';
import { CtxError } from '@ctx/core';
import type { StoredRecord } from '@ctx/store/backend';

/** Where `ctx verify --repair` keeps what it takes out of a store: a folder beside it, for its owner alone. */
export function quarantineFolder({ path }: StoreUrl): string {
  return `${path}.quarantine`;
}

async function writeKept(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Keeps records as files of their own before they leave the store; throws `CTX_STORE_IO`. */
export async function keepRecords(
  url: StoreUrl,
  collection: string,
  records: readonly StoredRecord[],
): Promise<void> {
  const folder = quarantineFolder(url);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const record of records) {
      const name = `${collection}-${randomBytes(8).toString('hex')}.json`;
      await writeKept(join(folder, name), `${JSON.stringify({ collection, ...record })}\n`);
    }
  } catch (cause) {
    throw new CtxError('CTX_STORE_IO', `${folder} cannot be written`, { cause });
  }
}

/** Copies what a file store set aside by itself, since a delete of the record destroys it there. */
export async function keepSetAside(url: StoreUrl): Promise<void> {
  if (url.scheme !== 'fs') return;
  const { copySetAside } = await import('@ctx/store-fs');
  await copySetAside(url.path, quarantineFolder(url));
}

/** Destroys the quarantine of a store: a purge leaves nothing. Returns how many files there were. */
export async function emptyQuarantine(url: StoreUrl): Promise<number> {
  if (url.scheme === 'memory') return 0;
  const folder = quarantineFolder(url);
  try {
    await lstat(folder);
  } catch {
    return 0;
  }
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  await rm(folder, { recursive: true, force: true });
  return files.filter((file) => !file.isDirectory()).length;
}
