import { createHash } from 'node:crypto';
import { CtxError } from '@ctx/core';
import type { CollectionDefinition } from '@ctx/store/backend';
import { planDefinitions } from '@ctx/store/sql';
import type { SqlDriver, SqlSession } from '../driver/sql-driver.ts';
import { lockSql } from '../lock/tenant-lock.ts';
import { notesSql } from '../write/notes.ts';
import {
  addColumnSql,
  type CollectionTable,
  collectionTable,
  dropIndexSql,
  indexSql,
  searchSql,
  tableSql,
} from './collection-table.ts';
import { metaTable, notesTable } from './names.ts';
import {
  layout,
  readSchema,
  readSchemaIfMade,
  type SchemaPlace,
  type StoredSchema,
} from './read-schema.ts';
import { dropViewSql, viewSql, viewsOf } from './views.ts';

/** Where the tables are. */
export interface TablesPlace extends SchemaPlace {
  readonly driver: SqlDriver;
  /** Make nothing. */
  readonly readOnly: boolean;
}

/** One number for each schema: who holds it may change tables. */
function lockNumber(schemaName: string): string {
  const digest = createHash('sha256').update(`ctx ${schemaName}`).digest();
  return String(digest.readBigInt64BE(0));
}

type Goal = ReturnType<typeof planDefinitions>;

/** What it takes to make a table. */
function newTableSql(table: CollectionTable, isLocked: boolean): string[] {
  return [
    ...tableSql(table),
    ...table.definition.indexes.map((index) => indexSql(table, index)),
    ...(isLocked ? lockSql(table.table) : []),
  ];
}

/** What it takes to make a table what it has to be. */
function tableChanges(
  table: CollectionTable,
  schema: string,
  { stored, columns, indexes }: Goal['changed'][number],
): string[] {
  const { name } = table.definition;
  const added = table.columns.filter((column) => columns.includes(column.name));
  return [
    ...added.map((column) => addColumnSql(table, column)),
    ...(stored?.search.length === 0 ? searchSql(table) : []),
    ...indexes.flatMap(({ index, before }) => [
      ...(before === undefined ? [] : [dropIndexSql(schema, name, index.name)]),
      indexSql(table, index),
    ]),
  ];
}

function isReached(
  { views, isWritable }: StoredSchema,
  { changed, all }: Goal,
  schema: string,
): boolean {
  return (
    isWritable !== undefined &&
    changed.length === 0 &&
    viewsOf(all, schema).every(({ name, select }) => views.get(name) === select)
  );
}

/** Writes down a fact about the schema. */
export async function noteFact(
  session: SqlSession,
  schema: string,
  [name, value]: readonly [string, unknown],
): Promise<void> {
  await session.query(
    `INSERT INTO ${schema}."${metaTable}" (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [name, JSON.stringify(value)],
  );
}

async function makeTables(
  session: SqlSession,
  { schema }: TablesPlace,
  { stored, goal }: { readonly stored: StoredSchema; readonly goal: Goal },
): Promise<void> {
  for (const { name } of viewsOf([...stored.definitions.values()], schema)) {
    if (goal.all.some((one) => one.name === name)) await session.query(dropViewSql(name, schema));
  }
  for (const change of goal.changed) {
    const { merged } = change;
    const table = collectionTable(merged, schema);
    const changes =
      change.stored === undefined
        ? newTableSql(table, stored.isLocked)
        : tableChanges(table, schema, change);
    for (const sql of changes) await session.query(sql);
    await noteFact(session, schema, [`collection ${merged.name}`, merged]);
  }
  for (const view of viewsOf(goal.all, schema)) {
    if (stored.views.get(view.name) === view.select) continue;
    for (const sql of viewSql(view, schema)) await session.query(sql);
    await noteFact(session, schema, [`view ${view.name}`, view.select]);
  }
}

async function makeSchema(session: SqlSession, { schema }: TablesPlace): Promise<void> {
  const statements = [
    `CREATE SCHEMA IF NOT EXISTS ${schema}`,
    `CREATE TABLE IF NOT EXISTS ${schema}."${metaTable}" (name text PRIMARY KEY, value text NOT NULL)`,
    notesSql(schema),
    `INSERT INTO ${schema}."${metaTable}" (name, value) VALUES ('layout', '${String(layout)}') ON CONFLICT DO NOTHING`,
  ];
  for (const sql of statements) await session.query(sql);
}

/** Works on a schema in one transaction, alone: others who want to change it wait, however long that takes. */
export async function changeSchema<Result>(
  { driver, schemaName }: Pick<TablesPlace, 'driver' | 'schemaName'>,
  change: (session: SqlSession) => Promise<Result>,
): Promise<Result> {
  const work = async (session: SqlSession): Promise<Result> => {
    try {
      await session.script(
        `BEGIN; SELECT pg_advisory_xact_lock(${lockNumber(schemaName)}); SET LOCAL client_min_messages = warning`,
      );
      const result = await change(session);
      await session.script('COMMIT');
      return result;
    } catch (error) {
      await session.script('ROLLBACK').catch(() => undefined);
      throw error;
    }
  };
  // An index over very many records takes its time, and so does waiting for who makes one.
  return driver.session(work, { isPatient: true });
}

/**
 * Whether there are tables of ctx. Asked of the catalog's own tables: functions such as `to_regclass` say what this connection knew
 * before it waited for the lock.
 */
async function isMade(
  session: SqlSession,
  { schemaName }: Pick<TablesPlace, 'schemaName'>,
): Promise<boolean> {
  const sql = `SELECT 1 AS found FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relname = $2`;
  return (await session.query(sql, [schemaName, notesTable])).length > 0;
}

/** Makes what is missing, in one transaction. Several processes may start at once: one makes the tables, the others wait for it. */
function raise(place: TablesPlace, wanted: readonly CollectionDefinition[]): Promise<OpenTables> {
  return changeSchema(place, async (session) => {
    if (!(await isMade(session, place))) await makeSchema(session, place);
    const stored = await readSchema(session, place);
    const goal = planDefinitions(stored.definitions, wanted);
    await makeTables(session, place, { stored, goal });
    return { merged: goal.merged, isLocked: stored.isLocked };
  });
}

/** What an open store has. */
export interface OpenTables {
  /** The collections that were asked for, with all that the schema has of them. */
  readonly merged: readonly CollectionDefinition[];
  /** Whether each transaction has to name its tenant. */
  readonly isLocked: boolean;
}

function readOnlyError({ schemaName }: TablesPlace, why: string): CtxError {
  return new CtxError('CTX_STORE_READ_ONLY', `the schema ${schemaName} ${why}`);
}

/**
 * Finds what the collections need, and makes what is not there yet. Makes one query where nothing is missing; then no right to make
 * tables is needed either.
 * @throws `CTX_STORE_READ_ONLY` where it may not be written, or must not be and has to be.
 */
export async function openTables(
  place: TablesPlace,
  wanted: readonly CollectionDefinition[],
): Promise<OpenTables> {
  const stored = await readSchemaIfMade(place.driver, place);
  const goal = stored && planDefinitions(stored.definitions, wanted);
  if (stored === undefined || goal === undefined || !isReached(stored, goal, place.schema)) {
    if (!place.readOnly) return await raise(place, wanted);
    throw readOnlyError(place, 'was not made by this version of ctx; open it once to be written');
  }
  if (stored.isWritable !== true && !place.readOnly) {
    throw readOnlyError(place, 'may be read and not written by this user, or on this server');
  }
  return { merged: goal.merged, isLocked: stored.isLocked };
}
