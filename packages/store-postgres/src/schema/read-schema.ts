import { CtxError } from '@ctx/core';
import type { CollectionDefinition } from '@ctx/store/backend';
import { stateOf } from '../driver/postgres-errors.ts';
import type { SqlSession } from '../driver/sql-driver.ts';
import { metaTable, notesTable } from './names.ts';

/** The layout that this version writes. */
export const layout = 1;

/** The fact that says whether the lock on tenants is on. */
export const lockName = 'tenant lock';

/** What the schema says of itself. */
export interface StoredSchema {
  readonly definitions: ReadonlyMap<string, CollectionDefinition>;
  /** The text of each view that was made. */
  readonly views: ReadonlyMap<string, string>;
  /** Whether this user may write, on a server that takes writes; `undefined` where the table of writes is still to be made. */
  readonly isWritable: boolean | undefined;
  /** Whether rows are seen only by who speaks for their tenant. */
  readonly isLocked: boolean;
}

/** A schema by name; `schema` is quoted, `schemaName` not. */
export interface SchemaPlace {
  readonly schemaName: string;
  readonly schema: string;
}

function isDefinition(value: unknown): value is CollectionDefinition {
  return typeof value === 'object' && value !== null && 'name' in value && 'indexes' in value;
}

function damaged(schemaName: string): CtxError {
  return new CtxError('CTX_STORE_CORRUPT', `the schema ${schemaName} holds a damaged definition`);
}

function parsed(text: string, schemaName: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged(schemaName);
  }
}

function checkLayout(value: unknown, schemaName: string): void {
  if (value === layout) return;
  const message = `the schema ${schemaName} has layout ${JSON.stringify(value)}; this version of ctx writes ${String(layout)}: update ctx`;
  throw new CtxError('CTX_INVALID_INPUT', message);
}

/** Null where the table of writes is missing. */
function writableSql(schema: string): string {
  const notes = `to_regclass('${schema.replaceAll("'", "''")}."${notesTable}"')`;
  return `current_setting('transaction_read_only') = 'off' AND has_table_privilege(${notes}, 'INSERT')`;
}

/**
 * Reads what a schema holds, in one round trip.
 * @throws `CTX_STORE_CORRUPT`, `CTX_INVALID_INPUT` for a later layout.
 */
export async function readSchema(
  session: SqlSession,
  { schema, schemaName }: SchemaPlace,
): Promise<StoredSchema> {
  const rows = await session.query(
    `SELECT name, value, ${writableSql(schema)} AS may FROM ${schema}."${metaTable}"`,
  );
  const definitions = new Map<string, CollectionDefinition>();
  const views = new Map<string, string>();
  let isLocked = false;
  for (const row of rows) {
    const name = String(row['name']);
    const value = parsed(String(row['value']), schemaName);
    if (name === 'layout') checkLayout(value, schemaName);
    else if (name === lockName) isLocked = value === true;
    else if (name.startsWith('view ')) views.set(name.slice('view '.length), String(value));
    else if (isDefinition(value)) definitions.set(value.name, value);
    else throw damaged(schemaName);
  }
  const may = rows[0]?.['may'];
  return { definitions, views, isWritable: typeof may === 'boolean' ? may : undefined, isLocked };
}

/** Nothing of that name: table, schema. */
const missing = ['42P01', '3F000'];

/** As {@link readSchema}; `undefined` where nothing was made yet. */
export async function readSchemaIfMade(
  session: SqlSession,
  place: SchemaPlace,
): Promise<StoredSchema | undefined> {
  try {
    return await readSchema(session, place);
  } catch (error) {
    if (missing.includes(stateOf(error))) return undefined;
    throw error;
  }
}
