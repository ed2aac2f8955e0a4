import { bytesText, countedText } from '@ctx/core/encoding';
import { lstat, readdir, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StoreUrl } from '@ctx/agent-adapter/store';
import type { DoctorCheck } from '../schemas/store.ts';

/** Most files whose mode is looked at. */
const maxLooked = 2000;
const lowRoomBytes = 512 * 1024 ** 2;
const noRoomBytes = 16 * 1024 ** 2;

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await lstat(path)).mode & 0o777;
  } catch {
    return undefined;
  }
}

async function* filesBelow(folder: string): AsyncGenerator<string, void, undefined> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isSymbolicLink()) yield path;
    if (entry.isDirectory()) yield* filesBelow(path);
  }
}

async function* filesOf({ scheme, path }: StoreUrl): AsyncGenerator<string, void, undefined> {
  if (scheme === 'sqlite') yield* [path, `${path}-wal`, `${path}-shm`];
  else {
    yield path;
    yield* filesBelow(path);
  }
}

/** Looks for files of the store that other users of this machine may read. */
export async function checkPermissions(url: StoreUrl): Promise<DoctorCheck> {
  const name = 'permissions';
  const open: string[] = [];
  let looked = 0;
  for await (const path of filesOf(url)) {
    const mode = await modeOf(path);
    if (mode === undefined) continue;
    looked += 1;
    if ((mode & 0o077) !== 0) open.push(path);
    if (looked >= maxLooked) break;
  }
  const [example] = open;
  if (example === undefined) {
    const first = looked >= maxLooked ? 'the first ' : '';
    return {
      name,
      status: 'ok',
      found: `${first}${countedText(looked, 'path')} private to this user`,
    };
  }
  return {
    name,
    status: 'warning',
    found: `${countedText(open.length, 'path')} open to others, such as ${example}`,
    advice: 'Take the rights of others away: chmod -R go= on the file or folder.',
  };
}

/** The folder of a store, or the first one above it that exists. */
export async function existingFolder({ scheme, path }: StoreUrl): Promise<string> {
  let folder = scheme === 'fs' ? path : dirname(path);
  while ((await modeOf(folder)) === undefined && dirname(folder) !== folder)
    folder = dirname(folder);
  return folder;
}

/** Looks how much room the disk of the store has. */
export async function checkRoom(url: StoreUrl): Promise<DoctorCheck> {
  const name = 'disk room';
  const folder = await existingFolder(url);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const found = `${bytesText(free)} free at ${folder}`;
  if (free >= lowRoomBytes) return { name, status: 'ok', found };
  const status = free < noRoomBytes ? 'problem' : 'warning';
  return { name, status, found, advice: 'Free some room, or move the store with ctx migrate.' };
}
