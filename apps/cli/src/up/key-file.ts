import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprintText } from '@ctx/core/encoding';
import type { openTenants } from '@ctx/server/records';

/** A key that only this user can read. */
export interface KeptKey {
  readonly text: string;
  /** Where it is kept. */
  readonly path: string;
}

/** The file of a store's key. */
export function keyFileOf(dataFolder: string, storeUrl: string): string {
  return join(dataFolder, 'keys', `${fingerprintText(storeUrl).slice(0, 16)}.key`);
}

async function readKey(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    return undefined;
  }
}

/** Written anew, never over what is there: the file is private from its first moment. */
async function writeKey(path: string, text: string): Promise<void> {
  await rm(path, { force: true });
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(`${text}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * The admin key of this user for a store: the one that was kept if it is still good, else a new one.
 * File 0600 in a folder 0700, whatever the umask.
 */
export async function keptKey(
  keys: Awaited<ReturnType<typeof openTenants>>['keys'],
  { dataFolder, storeUrl }: { readonly dataFolder: string; readonly storeUrl: string },
): Promise<KeptKey> {
  const path = keyFileOf(dataFolder, storeUrl);
  const known = await readKey(path);
  if (known !== undefined && (await keys.verify(known)) !== undefined) return { text: known, path };
  const { text } = await keys.create({ tenant: 'default', scope: 'admin', label: 'ctx up' });
  await mkdir(join(dataFolder, 'keys'), { recursive: true, mode: 0o700 });
  await writeKey(path, text);
  return { text, path };
}
