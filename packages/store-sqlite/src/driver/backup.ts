import { readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Connection } from './connection.ts';
import { makePrivateFile } from './prepare-file.ts';
import { fileError } from './store-errors.ts';

/** So many backups stay beside the file. */
export const keptBackups = 2;

const unfinished = '.unfinished';

/** The names of a file's backups end in a moment that sorts as text. */
function backupName(path: string, now: number): string {
  return `${basename(path)}.backup-${new Date(now).toISOString().replaceAll(':', '-')}`;
}

/** The backups of a store file, oldest first, unfinished ones included. Also for a purge, which must not leave them. */
export function listBackups(path: string): string[] {
  const folder = dirname(path);
  const start = `${basename(path)}.backup-`;
  const names = readdirSync(folder).filter((name) => name.startsWith(start));
  return names.sort().map((name) => join(folder, name));
}

/** The copies of damaged files that repairs have left beside a store file. */
export function listDamaged(path: string): string[] {
  const start = `${basename(path)}.damaged-`;
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(start));
  return names.sort().map((name) => join(dirname(path), name));
}

/** Removes backups: those of killed writers, then the oldest. */
function sweepBackups(path: string): void {
  const backups = listBackups(path);
  const finished = backups.filter((backup) => !backup.endsWith(unfinished));
  const surplus = finished.slice(0, Math.max(0, finished.length - keptBackups));
  for (const backup of [...backups.filter((name) => name.endsWith(unfinished)), ...surplus]) {
    rmSync(backup, { force: true });
  }
}

/**
 * Copies the whole store to a file beside it that only the owner may read, and keeps the newest two.
 * Not within a transaction; a copy has its name only once it is complete. Takes time and room of the file.
 * @throws `CTX_STORE_FULL` where the copy finds no room; the store is as before.
 */
export function backUp(connection: Connection, now: number): string {
  const { path } = connection;
  const target = join(dirname(path), backupName(path, now));
  try {
    rmSync(`${target}${unfinished}`, { force: true });
    makePrivateFile(`${target}${unfinished}`);
    connection.statement('VACUUM INTO ?').run(`${target}${unfinished}`);
    renameSync(`${target}${unfinished}`, target);
    sweepBackups(path);
  } catch (error) {
    rmSync(`${target}${unfinished}`, { force: true });
    throw error instanceof Error && 'syscall' in error ? fileError(error, target) : error;
  }
  return target;
}
