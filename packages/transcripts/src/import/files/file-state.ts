import { lstat } from 'node:fs/promises';

/** What tells that a file is as it was: which it is, its size and its time. `undefined` where there is none or nothing in it. */
export async function stateOfFile(path: string): Promise<string | undefined> {
  const stat = await lstat(path).catch(() => undefined);
  if (stat?.isFile() !== true || stat.size === 0) return undefined;
  return `${String(stat.ino)} ${String(stat.size)} ${String(stat.mtimeMs)}`;
}
