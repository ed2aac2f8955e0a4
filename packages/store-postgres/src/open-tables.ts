import { createHash } from 'node:crypto';
import { type CollectionDefinition, CtxError, type IndexDefinition } from '@ctx/core';
import {
  addColumnSql,
  type CollectionTable,
  collectionTable,
  dropIndexSql,
  indexSql,
  searchSql,
  tableSql,
} from './collection-table.ts';
import { isSameIndex, mergeDefinition } from './merge-definition.ts';
import { metaTable, operationsTable } from './names.ts';
import type { SqlDriver, SqlSession } from './sql-driver.ts';

/** The layout that this version writes. */
const layout = 1;

/** Where the tables are. */
export interface TablesPlace {
  readonly driver: SqlDriver;
  /** Not quoted. */
  readonly schemaName: string;
  /** Quoted. */
  readonly schema: string;
}

/** One number for each schema: who holds it may change tables. */
function lockNumber(schemaName: string): string {
  const digest = createHash('sha256').update(`ctx ${schemaName}`).digest();
  return String(digest.readBigInt64BE(0));
}

function isDefinition(value: unknown): value is CollectionDefinition {
  return typeof value === 'object' && value !== null && 'name' in value && 'indexes' in value;
}

/** What the schema says it holds. */
async function storedDefinitions(
  session: SqlSession,
  { schema, schemaName }: TablesPlace,
): Promise<Map<string, CollectionDefinition>> {
  const rows = await session.query(`SELECT name, value FROM ${schema}."${metaTable}"`);
  const found = new Map<string, CollectionDefinition>();
  for (const { name, value } of rows) {
    const parsed: unknown = JSON.parse(String(value));
    if (name === 'layout') {
      if (parsed === layout) continue;
      const message = `the schema ${schemaName} has layout ${JSON.stringify(parsed)}; this version of ctx writes ${String(layout)}: update ctx`;
      throw new CtxError('CTX_INVALID_INPUT', message);
    }
    if (!isDefinition(parsed)) {
      throw new CtxError(
        'CTX_STORE_CORRUPT',
        `the schema ${schemaName} holds a damaged definition`,
      );
    }
    found.set(parsed.name, parsed);
  }
  return found;
}

function indexChanges(
  table: CollectionTable,
  schema: string,
  stored: readonly IndexDefinition[],
): string[] {
  const { name, indexes } = table.definition;
  return indexes.flatMap((index) => {
    const before = stored.find((one) => one.name === index.name);
    if (isSameIndex(before, index)) return [];
    const drop = before === undefined ? [] : [dropIndexSql(schema, name, index.name)];
    return [...drop, indexSql(table, index)];
  });
}

/** What it takes to make a table what it has to be. */
function tableChanges(
  table: CollectionTable,
  schema: string,
  stored: CollectionDefinition | undefined,
): string[] {
  if (stored === undefined) {
    return [...tableSql(table), ...table.definition.indexes.map((index) => indexSql(table, index))];
  }
  const added = table.columns.filter(({ name }) => !Object.hasOwn(stored.columns, name));
  const search = stored.search.length === 0 ? searchSql(table) : [];
  return [
    ...added.map((column) => addColumnSql(table, column)),
    ...search,
    ...indexChanges(table, schema, stored.indexes),
  ];
}

const definitionOf = (definition: CollectionDefinition): string => JSON.stringify(definition);

async function makeTables(
  session: SqlSession,
  place: TablesPlace,
  wanted: readonly CollectionDefinition[],
): Promise<CollectionDefinition[]> {
  const { schema } = place;
  const stored = await storedDefinitions(session, place);
  const merged = wanted.map((one) => mergeDefinition(stored.get(one.name), one));
  for (const definition of merged) {
    const before = stored.get(definition.name);
    if (before !== undefined && definitionOf(before) === definitionOf(definition)) continue;
    const table = collectionTable(definition, schema);
    for (const sql of tableChanges(table, schema, before)) await session.query(sql);
    await session.query(
      `INSERT INTO ${schema}."${metaTable}" (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [`collection ${definition.name}`, definitionOf(definition)],
    );
  }
  return merged;
}

async function makeSchema(session: SqlSession, { schema }: TablesPlace): Promise<void> {
  const statements = [
    `CREATE SCHEMA IF NOT EXISTS ${schema}`,
    `CREATE TABLE IF NOT EXISTS ${schema}."${metaTable}" (name text PRIMARY KEY, value text NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS ${schema}."${operationsTable}" (id uuid PRIMARY KEY, at bigint NOT NULL)`,
    `CREATE INDEX IF NOT EXISTS "${operationsTable}$at" ON ${schema}."${operationsTable}" (at)`,
    `INSERT INTO ${schema}."${metaTable}" (name, value) VALUES ('layout', '${String(layout)}') ON CONFLICT DO NOTHING`,
  ];
  for (const sql of statements) await session.query(sql);
}

/**
 * Makes what the collections need and does not have yet, in one transaction. Several processes may start at once: one makes the
 * tables, the others wait for it.
 */
export async function openTables(
  place: TablesPlace,
  wanted: readonly CollectionDefinition[],
): Promise<CollectionDefinition[]> {
  return place.driver.session(async (session) => {
    try {
      await session.script(
        `BEGIN; SELECT pg_advisory_xact_lock(${lockNumber(place.schemaName)}); SET LOCAL client_min_messages = warning`,
      );
      await makeSchema(session, place);
      const merged = await makeTables(session, place, wanted);
      await session.script('COMMIT');
      return merged;
    } catch (error) {
      await session.script('ROLLBACK').catch(() => undefined);
      throw error;
    }
  });
}
