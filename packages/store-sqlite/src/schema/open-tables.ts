import { CtxError } from '@ctx/core';
import type { CollectionDefinition } from '@ctx/store/backend';
import { planDefinitions, quoteName } from '@ctx/store/sql';
import { backUp } from '../driver/backup.ts';
import type { Connection } from '../driver/connection.ts';
import { checkNotEmptied } from '../driver/store-mark.ts';
import { decodeBody, encodeSealed } from '../read/record-body.ts';
import { indexWordsSql } from './create-tables.ts';
import { checkTableName, metaTable, newWordsTableName } from './names.ts';
import { planMigration } from './plan-migration.ts';
import { readsWidthExactly } from './tally-table.ts';
import { dropViewSql, viewsOf } from './views.ts';

/** Marks a file as a ctx store: `ctx1` in ASCII. */
const applicationId = 0x63747831;

/** Layout of the file. Raised when a ctx that reads the old layout could not read the new one. */
const layoutVersion = 3;

/** Layouts that this version reads and raises: in both words may wait beside the full text, in 1 those that were found already. */
const olderLayouts: readonly string[] = ['1', '2'];

const meta: string = quoteName(metaTable);

function pragma(
  connection: Connection,
  name: 'application_id' | 'user_version' | 'journal_mode',
): string {
  return String(connection.statement(`PRAGMA ${name}`).get()?.[name]);
}

/**
 * Whether the file is still empty. Within a transaction: another process may be making the store, and its mark and its tables have to be
 * read of one moment.
 * @throws `CTX_STORE_CORRUPT` for the database of another program, `CTX_STORE_UNSUPPORTED` for the store of a newer ctx; either is left as
 * it is.
 */
function isNewFile(connection: Connection): boolean {
  const isOurs = pragma(connection, 'application_id') === String(applicationId);
  const layout = pragma(connection, 'user_version');
  if (isOurs && [String(layoutVersion), ...olderLayouts].includes(layout)) return false;
  if (isOurs) {
    const message = `the store ${connection.path} was written by another version of ctx; update ctx`;
    throw new CtxError('CTX_STORE_UNSUPPORTED', message);
  }
  const objects = connection.statement('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'];
  if (objects === 0 && pragma(connection, 'application_id') === '0') return true;
  const message = `${connection.path} is the database of another program; it was left as it is: choose another path`;
  throw new CtxError('CTX_STORE_CORRUPT', message);
}

/** Writes ahead into a log, so that readers and one writer do not wait for each other. */
function useWriteAheadLog(connection: Connection): void {
  if (pragma(connection, 'journal_mode') === 'wal') return;
  connection.execute('PRAGMA journal_mode = WAL');
  if (pragma(connection, 'journal_mode') === 'wal') return;
  const message = `the folder of ${connection.path} cannot hold a write-ahead log; choose a local disk`;
  throw new CtxError('CTX_STORE_UNSUPPORTED', message);
}

const metaPlace = (name: string) => ({ collection: metaTable, key: [name], version: 0 });

/**
 * The collections as the file has them.
 * @throws `CTX_STORE_CORRUPT`.
 */
export function storedDefinitions(connection: Connection): Map<string, CollectionDefinition> {
  const rows = connection
    .statement(`SELECT name, value FROM ${meta} WHERE name LIKE 'collection:%'`)
    .all();
  const stored = new Map<string, CollectionDefinition>();
  for (const { name, value } of rows) {
    // Written by this file only, as text of a checked definition.
    const text = decodeBody(metaPlace(String(name)), value);
    const definition = JSON.parse(text) as CollectionDefinition;
    stored.set(definition.name, definition);
  }
  return stored;
}

function planAll(
  stored: ReadonlyMap<string, CollectionDefinition>,
  wanted: readonly CollectionDefinition[],
): ReturnType<typeof planDefinitions> & { readonly steps: readonly string[] } {
  const plan = planDefinitions(stored, wanted);
  const { all, changed } = plan;
  const inTheWay = viewsOf([...stored.values()]).filter(({ name }) =>
    all.some((one) => one.name === name),
  );
  const steps = [
    ...inTheWay.map(({ name }) => dropViewSql(name)),
    ...changed.flatMap(planMigration),
  ];
  return { ...plan, steps };
}

function saveDefinitions(
  connection: Connection,
  definitions: readonly CollectionDefinition[],
): void {
  const statement = connection.statement(
    `INSERT OR REPLACE INTO ${meta} (name, value) VALUES (?, ?)`,
  );
  for (const definition of definitions) {
    const name = `collection:${definition.name}`;
    const text = JSON.stringify(definition);
    statement.run(name, encodeSealed({ ...metaPlace(name), columns: {} }, text));
  }
}

/** Makes the views that are missing or were made by another version. */
function makeViews(connection: Connection, all: readonly CollectionDefinition[]): void {
  const known = connection.statement(`SELECT sql FROM sqlite_schema WHERE name = ?`);
  for (const { name, sql } of viewsOf(all)) {
    if (known.get(name)?.['sql'] === sql) continue;
    for (const step of [dropViewSql(name), sql]) connection.execute(step);
  }
}

/** Leaves out the tally hints whose bucket width this SQLite does not read back to the last digit. */
function withExactTallies(
  connection: Connection,
  definition: CollectionDefinition,
): CollectionDefinition {
  const indexes = definition.indexes.map((index) => {
    const { tally, ...rest } = index;
    const { bucketWidth } = tally ?? {};
    return bucketWidth === undefined || readsWidthExactly(connection, bucketWidth) ? index : rest;
  });
  return { ...definition, indexes };
}

/** Whether the file has a table of that name. */
export function hasTable(connection: Connection, name: string): boolean {
  return connection.statement('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;
}

function createMeta(connection: Connection): void {
  connection.execute(
    `CREATE TABLE ${meta} (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,
  );
  connection.execute(`PRAGMA application_id = ${applicationId}`);
}

/** Lets no older version write where it would not understand what is there. Words that wait are taken in where they were found already. */
function raiseLayout(
  connection: Connection,
  stored: ReadonlyMap<string, CollectionDefinition>,
): void {
  if (pragma(connection, 'user_version') === String(layoutVersion)) return;
  for (const definition of stored.values()) {
    if (!hasTable(connection, newWordsTableName(definition.name))) continue;
    for (const step of indexWordsSql(definition)) connection.execute(step);
  }
  connection.execute(`PRAGMA user_version = ${layoutVersion}`);
}

/** Writes one row, so that a file that cannot be written is found out at open and not in the middle of work. */
function probeWrite(connection: Connection): void {
  connection.statement(`INSERT OR REPLACE INTO ${meta} (name, value) VALUES ('probe', '')`).run();
}

/**
 * Gives the definitions as a file has them that is not written.
 * @throws `CTX_STORE_READ_ONLY` where the file would have to be written first.
 */
export async function readTables(
  connection: Connection,
  collections: readonly CollectionDefinition[],
): Promise<readonly CollectionDefinition[]> {
  for (const { name } of collections) checkTableName(name);
  const isNew = await connection.snapshot(() => isNewFile(connection));
  const isCurrent = !isNew && pragma(connection, 'user_version') === String(layoutVersion);
  const wanted = collections.map((one) => withExactTallies(connection, one));
  const plan = isCurrent ? planAll(storedDefinitions(connection), wanted) : undefined;
  if (plan !== undefined && plan.steps.length === 0) return plan.merged;
  const message = `the store ${connection.path} is of an older ctx and cannot be written; open it once where it can be`;
  throw new CtxError('CTX_STORE_READ_ONLY', message);
}

/** What `openTables` needs beside the connection. */
export interface OpenTablesOptions {
  readonly collections: readonly CollectionDefinition[];
  /** ms since the epoch: names the backup. */
  readonly now: number;
}

/**
 * Makes what the collections need and the file does not have yet, all of it or nothing, after a backup of what is there.
 * Within `Connection.run`. Gives the definitions as the file has them.
 */
export async function openTables(
  connection: Connection,
  { collections, now }: OpenTablesOptions,
): Promise<readonly CollectionDefinition[]> {
  for (const { name } of collections) checkTableName(name);
  const wanted = collections.map((one) => withExactTallies(connection, one));
  if (!(await connection.snapshot(() => isNewFile(connection)))) {
    const stored = storedDefinitions(connection);
    if (stored.size > 0 && planAll(stored, wanted).steps.length > 0) backUp(connection, now);
  }
  useWriteAheadLog(connection);
  return await connection.transaction('power', () => {
    if (isNewFile(connection)) {
      checkNotEmptied(connection.path);
      createMeta(connection);
    }
    const stored = storedDefinitions(connection);
    raiseLayout(connection, stored);
    const { merged, all, changed, steps } = planAll(stored, wanted);
    for (const step of steps) connection.execute(step);
    saveDefinitions(
      connection,
      changed.map((one) => one.merged),
    );
    makeViews(connection, all);
    probeWrite(connection);
    return merged;
  });
}
