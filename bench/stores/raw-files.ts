import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The least that a durable save of a file takes: temporary file, fsync, rename, fsync of the folder. */
export function saveRawFile(folder: string, name: string, text: string): void {
  const temporary = join(folder, `${name}.tmp`);
  const file = openSync(temporary, 'wx', 0o600);
  writeFileSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(temporary, join(folder, name));
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/** Reads and parses such a file. */
export function readRawFile(folder: string, name: string): unknown {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}
