import type { CollectionDefinition, StoreBackend, StoredRecord } from '@ctx/store/backend';
import type { Connection } from '../driver/connection.ts';
import { loadDriver } from '../driver/driver.ts';
import { closeConnection, openConnection } from '../driver/shared-connections.ts';
import type { SqliteValue } from '../driver/sqlite-driver.ts';
import { recordOfRow } from '../read/read-record.ts';
import { type CollectionTable, collectionTable } from '../schema/collection-table.ts';
import { recordId, recordWords } from '../schema/names.ts';
import { openTables } from '../schema/open-tables.ts';
import { sqliteBackend } from '../sqlite-backend.ts';
import { addWords, wordsByField } from '../words/write-words.ts';
import type { PageFile } from './page-file.ts';
import { type LostTable, lostTables } from './read-schema.ts';
import { type FoundRow, namedKeys, recoverRows } from './recover-rows.ts';

/** What became of the records of a collection. */
export interface RecoveredCollection {
  readonly name: string;
  readonly recovered: number;
  /** Of those, records of older versions of ctx, which have no checksum. */
  readonly unsealed: number;
  /** Records that the index of keys names and that did not come back. Of others nothing is known. */
  readonly lost: number;
  /** At most 100 of their keys. */
  readonly lostKeys: readonly (readonly string[])[];
}

/** What a new file is made with. */
export interface RebuildOptions {
  /** Where the new file is written. */
  readonly path: string;
  readonly known: readonly CollectionDefinition[];
  readonly now: number;
  readonly wordsOf: FindWords;
}

/** Finds the words of a record again; `undefined` where it has none. */
export type FindWords = (
  backend: Pick<StoreBackend, 'get'>,
  collection: string,
  record: StoredRecord,
) => Promise<Readonly<Record<string, string>> | undefined>;

const batchRows = 500;
const mostNamed = 100;

interface Counts {
  recovered: number;
  unsealed: number;
}

/** Puts a row into the new file, unless its key is there. */
function insert(connection: Connection, table: CollectionTable, row: FoundRow): boolean {
  const columns = table.columnNames.map((name) => row.columns[name] ?? null);
  const words = row.hasWords ? 1 : 0;
  const values = [...row.key, ...columns, row.version, words, row.body];
  const { changes } = connection.statement(table.insert).run(...values);
  if (Number(changes) === 0) return false;
  return true;
}

/** A writer of rows, some to a transaction. */
function writerOf(connection: Connection, tables: ReadonlyMap<string, CollectionTable>) {
  const counts = new Map(
    [...tables.keys()].map((name): [string, Counts] => [name, { recovered: 0, unsealed: 0 }]),
  );
  let batch: FoundRow[] = [];
  const write = (row: FoundRow): void => {
    const { name } = row.table.definition;
    const [table, count] = [tables.get(name), counts.get(name)];
    if (table === undefined || count === undefined || !insert(connection, table, row)) return;
    count.recovered += 1;
    if (!row.isSealed) count.unsealed += 1;
  };
  const flush = async (): Promise<void> => {
    const rows = batch;
    batch = [];
    await connection.run(() =>
      connection.transaction('process', () => {
        for (const row of rows) write(row);
      }),
    );
  };
  return {
    counts,
    flush,
    async add(row: FoundRow): Promise<void> {
      batch.push(row);
      if (batch.length >= batchRows) await flush();
    },
  };
}

/** Looks in the new file for what the index of the damaged one names. */
function lostOf(
  connection: Connection,
  file: PageFile,
  { lost, table }: { lost: LostTable; table: CollectionTable },
): Pick<RecoveredCollection, 'lost' | 'lostKeys'> {
  const lostKeys: string[][] = [];
  let count = 0;
  for (const key of namedKeys(file, lost)) {
    if (connection.statement(table.findRow).get(...key) !== undefined) continue;
    count += 1;
    if (lostKeys.length < mostNamed) lostKeys.push(key);
  }
  return { lost: count, lostKeys };
}

/** Makes the records of a collection found again. A record whose words cannot be found is named by `verifyStore`. */
async function restoreWords(
  connection: Connection,
  table: CollectionTable,
  { backend, wordsOf }: { backend: StoreBackend; wordsOf: FindWords },
): Promise<void> {
  const { name } = table.definition;
  const sql = `SELECT ${recordId}, ${table.selected.whole} FROM ${table.table} WHERE ${recordWords} <> 0 AND ${recordId} > ? ORDER BY ${recordId} LIMIT ${batchRows}`;
  for (let after: SqliteValue = 0; ; ) {
    const rows = await connection.run(() => connection.statement(sql).all(after));
    const found: Parameters<typeof addWords>[2][] = [];
    for (const row of rows) {
      const record = recordOfRow(table, row, 'whole');
      const words = await wordsOf(backend, name, record).catch(() => undefined);
      const byField = wordsByField(table, words);
      after = row[recordId] ?? 0;
      if (byField !== undefined) found.push({ id: after, key: record.key, byField });
    }
    await connection.run(() =>
      connection.transaction('process', () => {
        for (const one of found) addWords(connection, table, one);
      }),
    );
    if (rows.length < batchRows) return;
  }
}

async function restoreAllWords(
  connection: Connection,
  tables: Iterable<CollectionTable>,
  { wordsOf }: RebuildOptions,
): Promise<void> {
  const searched = [...tables].filter(({ searchFields }) => searchFields.length > 0);
  const backend = sqliteBackend({ path: connection.path });
  await backend.open(searched.map(({ definition }) => definition));
  try {
    for (const table of searched) await restoreWords(connection, table, { backend, wordsOf });
  } finally {
    await backend.close();
  }
}

/**
 * Writes a new store file with all that can be read of a damaged one, and finds its words again.
 * @throws the codes of a store that is opened and written.
 */
export async function rebuildFrom(
  file: PageFile,
  options: RebuildOptions,
): Promise<RecoveredCollection[]> {
  const { path, known, now } = options;
  const lost = lostTables(file, known);
  const driver = await loadDriver();
  const connection = openConnection({ path, driver, driverName: '', busyTimeoutMs: 5000 });
  try {
    const definitions = lost.map(({ definition }) => definition);
    const made = await connection.run(() =>
      openTables(connection, { collections: definitions, now }),
    );
    const tables = new Map(made.map((one) => [one.name, collectionTable(one)]));
    const writer = writerOf(connection, tables);
    for (const row of recoverRows(file, lost)) await writer.add(row);
    await writer.flush();
    await restoreAllWords(connection, tables.values(), options);
    return await connection.run(() =>
      lost.flatMap((one) => {
        const { name } = one.definition;
        const [table, counts] = [tables.get(name), writer.counts.get(name)];
        if (table === undefined || counts === undefined) return [];
        return [{ name, ...counts, ...lostOf(connection, file, { lost: one, table }) }];
      }),
    );
  } finally {
    await closeConnection(connection);
  }
}
