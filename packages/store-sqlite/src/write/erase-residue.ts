import { rmSync } from 'node:fs';
import type { CollectionDefinition } from '@ctx/store/backend';
import { quoteName } from '@ctx/store/sql';
import { listBackups, listDamaged } from '../driver/backup.ts';
import type { Connection } from '../driver/connection.ts';
import { fileError } from '../driver/store-errors.ts';
import { wordsTableName } from '../schema/names.ts';

/** What was erased. */
export interface ErasedResidue {
  /** Returns `false` while a reader is open: the log holds deleted bytes until a later call finds none. */
  readonly traceless: boolean;
  /** Copies beside the store that went, too. */
  readonly backupsRemoved: number;
}

function removeBackups(path: string): number {
  try {
    const backups = [...listBackups(path), ...listDamaged(path)];
    for (const backup of backups) rmSync(backup, { force: true });
    return backups.length;
  } catch (error) {
    throw fileError(error, path);
  }
}

/** Writes the words of a collection anew, without those of deleted records. Takes the time of all of its words. */
export function eraseWords(connection: Connection, name: string): void {
  const table = quoteName(wordsTableName(name));
  connection.statement(`INSERT INTO ${table} (${table}) VALUES ('optimize')`).run();
}

/** Pages that one step writes, about. */
const stepPages = 200;

/** A merge that has nothing to do changes fewer rows than this. Source: https://www.sqlite.org/fts5.html#the_merge_command */
const leastChanges = 2;

function changesOf(connection: Connection): number {
  return Number(connection.statement('SELECT total_changes() AS n').get()?.['n']);
}

/**
 * As {@link eraseWords}, in steps of a transaction each, so that no other writer waits for more than one of them. A step that is cut off
 * leaves an index that is whole and the rest to the next call.
 */
export async function eraseWordsInSteps(
  connection: Connection,
  name: string,
  durability: 'process' | 'power',
): Promise<void> {
  const table = quoteName(wordsTableName(name));
  const merge = connection.statement(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`);
  // The first step, by its sign, takes all segments of the index together; the others go on with that.
  for (let pages = -stepPages, changes = leastChanges; changes >= leastChanges; pages = stepPages) {
    const step = (): Promise<void> =>
      connection.transaction(durability, () => {
        const before = changesOf(connection);
        merge.run(pages);
        changes = changesOf(connection) - before;
        return Promise.resolve();
      });
    await connection.run(step, { mayUseReserve: true });
  }
}

/**
 * Takes the last bytes of deleted records out of the file, its log and its backups. Each step leaves something that only
 * the next one takes: free pages of the full-text index, samples of `ANALYZE`, free bytes in pages, pages in the log.
 * Within `Connection.run`, after the deletes. Takes time and room of the whole file.
 * @throws `CTX_STORE_FULL` without room for the copy; deleted records stay deleted.
 */
export function eraseResidue(
  connection: Connection,
  definitions: readonly CollectionDefinition[],
): ErasedResidue {
  for (const { name, search } of definitions) {
    if (search.length > 0) eraseWords(connection, name);
  }
  connection.execute('ANALYZE');
  connection.execute('VACUUM');
  const checkpoint = connection.statement('PRAGMA wal_checkpoint(TRUNCATE)').get();
  return {
    traceless: checkpoint?.['busy'] === 0,
    backupsRemoved: removeBackups(connection.path),
  };
}
