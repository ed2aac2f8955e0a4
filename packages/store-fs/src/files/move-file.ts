import { renameSync, unlinkSync } from 'node:fs';
import { systemCode } from './system-errors.ts';

/** What Windows answers while a virus scanner, an indexer or a backup holds a file. */
const heldCodes: readonly string[] = ['EACCES', 'EBUSY', 'EPERM'];

/** Pauses between tries, ms: 0.8 s in all. */
const pauses: readonly number[] = [1, 2, 5, 10, 20, 50, 100, 200, 400];

/** Whether this is Windows, where folders cannot be flushed and a file that a program holds cannot be moved. */
export function isWindows(): boolean {
  return process.platform === 'win32';
}

/** Tries again while Windows says that a program holds the file. On other systems such an answer is final. */
function onceReleased(act: () => void): void {
  for (const ms of isWindows() ? pauses : []) {
    try {
      act();
      return;
    } catch (error) {
      if (!heldCodes.includes(systemCode(error))) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  }
  act();
}

/** Renames a file or folder. Waits up to 0.8 s for a program that holds it on Windows. Throws what the system says. */
export function moveFile(from: string, to: string): void {
  onceReleased(() => {
    renameSync(from, to);
  });
}

/** Deletes a file. Waits as {@link moveFile}. */
export function removeFile(path: string): void {
  onceReleased(() => {
    unlinkSync(path);
  });
}
