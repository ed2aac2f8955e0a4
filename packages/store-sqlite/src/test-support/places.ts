import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that goes with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-sqlite-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** How often the text stands in the raw bytes of all files of a folder. Only when no store in it is open. */
export function countInFiles(folder: string, text: string): number {
  let found = 0;
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) found++;
  }
  return found;
}
