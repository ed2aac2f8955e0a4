import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of real data, which may be absent. */
export const sharedData: string =
  process.env['CTX_SHARED_DATA'] ??
  join(fileURLToPath(new URL('../../../..', import.meta.url)), '../shared/data');

/** Files of a folder of the real data and its folders, by their path in it; none where it is absent. */
export function filesIn(folder: string): string[] {
  const path = join(sharedData, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(sharedData, join(entry.parentPath, entry.name)));
}
