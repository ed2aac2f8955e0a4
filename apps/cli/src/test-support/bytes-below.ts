import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** All bytes of all files below the folder of `path`, hidden ones included. */
export function bytesBelow(path: string): Buffer {
  const root = dirname(path);
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Buffer.concat(files.map((file) => readFileSync(join(file.parentPath, file.name))));
}
