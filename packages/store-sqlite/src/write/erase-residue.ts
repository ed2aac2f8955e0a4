import { rmSync } from 'node:fs';
import { isCtxError } from '@ctx/core';
import type { CollectionDefinition } from '@ctx/store/backend';
import { quoteName } from '@ctx/store/sql';
import { listBackups, listDamaged } from '../driver/backup.ts';
import type { Connection } from '../driver/connection.ts';
import { fileError } from '../driver/store-errors.ts';
import { metaTable, wordsTableName } from '../schema/names.ts';

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

const meta = quoteName(metaTable);

/** The rows that name collections whose words are not erased yet. */
const marks = 'erase:';

/** Notes that words of a collection are to be erased, in the transaction that deletes their records: what is cut off after it is finished later. */
export function markWords(connection: Connection, name: string): void {
  connection
    .statement(
      `INSERT INTO ${meta} (name, value) VALUES (?, '1') ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1`,
    )
    .run(`${marks}${name}`);
}

/** How to erase words in steps. */
interface ErasingSteps {
  readonly durability: 'process' | 'power';
  /** Most steps. Default: until nothing is left to do. */
  readonly most?: number;
}

/**
 * As {@link eraseWords}, in steps of a transaction each, so that no other writer waits for more than one of them. A step that is cut off
 * leaves an index that is whole, and its mark: the next call or the next open goes on.
 */
export async function eraseWordsInSteps(
  connection: Connection,
  name: string,
  { durability, most = Infinity }: ErasingSteps,
): Promise<void> {
  const table = quoteName(wordsTableName(name));
  const mark = `${marks}${name}`;
  const marked = connection.statement(`SELECT value FROM ${meta} WHERE name = ?`).get(mark);
  const merge = connection.statement(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`);
  // What others delete meanwhile raises the mark, which then stays.
  const unmark = connection.statement(`DELETE FROM ${meta} WHERE name = ? AND value = ?`);
  // The first step, by its sign, takes all segments of the index together; the others go on with that.
  let [pages, changes] = [-stepPages, leastChanges];
  for (let done = 0; changes >= leastChanges && done < most; done += 1, pages = stepPages) {
    const step = (): Promise<void> =>
      connection.transaction(durability, () => {
        const before = changesOf(connection);
        merge.run(pages);
        changes = changesOf(connection) - before;
        if (changes < leastChanges) unmark.run(mark, marked?.['value'] ?? null);
        return Promise.resolve();
      });
    await connection.run(step, { mayUseReserve: true });
  }
}

/** Most steps of one collection that an open takes: some tenths of a second. */
const mostAtOpen = 20;

/** Finishes what was cut off: words whose records are deleted. What cannot be written now, as on a full disk, is left to the next open. */
export async function eraseMarkedWords(connection: Connection): Promise<void> {
  const find = connection.statement(`SELECT name FROM ${meta} WHERE name LIKE '${marks}%'`);
  try {
    for (const { name } of await connection.run(() => find.all())) {
      const collection = String(name).slice(marks.length);
      await eraseWordsInSteps(connection, collection, { durability: 'process', most: mostAtOpen });
    }
  } catch (error) {
    if (!isCtxError(error)) throw error;
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
  connection.statement(`DELETE FROM ${meta} WHERE name LIKE '${marks}%'`).run();
  connection.execute('ANALYZE');
  connection.execute('VACUUM');
  const checkpoint = connection.statement('PRAGMA wal_checkpoint(TRUNCATE)').get();
  return {
    traceless: checkpoint?.['busy'] === 0,
    backupsRemoved: removeBackups(connection.path),
  };
}
