import { completeColumns } from '@ctx/store/backend';
import { quoteName } from '@ctx/store/sql';
import type { SqlValue } from '../driver/sql-driver.ts';
import { placeOf } from '../read/conditions.ts';
import { hasKey } from '../read/get-records.ts';
import type { Statement } from '../read/scan-sql.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { notesTable, recordVersion } from '../schema/names.ts';
import { nowSql } from './notes.ts';
import type { RecordOperations } from './plan-write.ts';
import { contentLists, type RowList } from './record-rows.ts';

/** A write of one operation as one statement, which gives a row where it was done, and has then noted the write. */
export type AloneWrite = (schema: string, id: string) => Statement;

/** The change itself, and what its parts need of the values: the first of them are the key. */
interface Change {
  readonly table: CollectionTable;
  readonly values: SqlValue[];
}

/** A list of one row as a value. */
function single({ values }: Change, { type, stored, values: [value = null] }: RowList): string {
  return stored(`${placeOf(values, value)}::${type}`);
}

type Operation = RecordOperations['operations'][number];
type Put = Extract<Operation, { readonly type: 'put' }>;
type Patch = Extract<Operation, { readonly type: 'patch' }>;

/** Statements that put a whole record, by whether it must be new: their texts are the same for all records of a table. */
const insertTexts = new WeakMap<CollectionTable, Map<boolean, string>>();

function insertText(table: CollectionTable, lists: readonly RowList[], isNew: boolean): string {
  const keys = table.keyColumns.map(({ name }) => quoteName(name));
  const names = lists.map(({ column }) => column);
  const places = lists.map(({ type, stored }, at) =>
    stored(`$${String(keys.length + at + 1)}::${type}`),
  );
  const given = keys.map((_, part) => `$${String(part + 1)}`);
  const insert = `INSERT INTO ${table.table} (${[...keys, ...names].join(', ')}) VALUES (${[...given, ...places].join(', ')})`;
  if (isNew) return `${insert} ON CONFLICT DO NOTHING RETURNING 1 AS made`;
  const others = names.filter((name) => name !== quoteName(recordVersion));
  const set = others.map((name) => `${name} = excluded.${name}`);
  set.push(`${recordVersion} = ${table.table}.${recordVersion} + 1`);
  return `${insert} ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${set.join(', ')} RETURNING 1 AS made`;
}

function insertSql({ table, values }: Change, put: Put): string {
  const columns = completeColumns(table.definition, put.columns);
  const whole = { columns, version: 1, body: put.body, words: put.words };
  const lists = contentLists(table, [{ key: put.key, put: whole }]);
  values.push(...lists.map(({ values: [value = null] }) => value));
  const isNew = put.expectVersion === 0;
  const texts = insertTexts.get(table) ?? new Map<boolean, string>();
  insertTexts.set(table, texts);
  const text = texts.get(isNew) ?? insertText(table, lists, isNew);
  texts.set(isNew, text);
  return text;
}

function expectedSql({ table, values }: Change, version: number | undefined): string {
  if (version === undefined) return '';
  return ` AND ${table.table}.${recordVersion} = ${placeOf(values, version)}`;
}

function updateSql(change: Change, { expectVersion }: Operation, set: string[]): string {
  const { table } = change;
  const all = [...set, `${recordVersion} = ${table.table}.${recordVersion} + 1`].join(', ');
  const where = hasKey(change.table) + expectedSql(change, expectVersion);
  return `UPDATE ${table.table} SET ${all} WHERE ${where} RETURNING 1 AS made`;
}

function putSql(change: Change, put: Put): string {
  if (put.expectVersion === undefined || put.expectVersion === 0) return insertSql(change, put);
  const columns = completeColumns(change.table.definition, put.columns);
  const whole = { columns, version: 1, body: put.body, words: put.words };
  const lists = contentLists(change.table, [{ key: put.key, put: whole }]).filter(
    ({ column }) => column !== quoteName(recordVersion),
  );
  return updateSql(
    change,
    put,
    lists.map((list) => `${list.column} = ${single(change, list)}`),
  );
}

function patchSql(change: Change, patch: Patch): string {
  const complete = completeColumns(change.table.definition, patch.columns);
  const set = change.table.columns
    .filter(({ name }) => Object.hasOwn(patch.columns, name))
    .map(({ name, type }) => {
      const place = placeOf(change.values, complete[name] ?? null);
      return `${quoteName(name)} = ${place}::${type}`;
    });
  return updateSql(change, patch, set);
}

function deleteSql(change: Change, { expectVersion }: Operation): string {
  const where = hasKey(change.table) + expectedSql(change, expectVersion);
  return `DELETE FROM ${change.table.table} WHERE ${where} RETURNING 1 AS made`;
}

function changeSql(change: Change, operation: Operation): string {
  switch (operation.type) {
    case 'put':
      return putSql(change, operation);
    case 'patch':
      return patchSql(change, operation);
    default:
      return deleteSql(change, operation);
  }
}

/**
 * A write of one operation in one round trip; `undefined` where it is more than that. Where its statement gives no row, an expected
 * version did not hold or a record was missing: nothing was done, and the write has to be done with a look at the record first.
 */
export function aloneWrite(records: readonly RecordOperations[]): AloneWrite | undefined {
  const [record, ...others] = records;
  const operation = record?.operations[0];
  if (record === undefined || operation === undefined || operation.type === 'check')
    return undefined;
  if (others.length > 0 || record.operations.length > 1) return undefined;
  const values: SqlValue[] = [...record.key];
  const sql = changeSql({ table: record.table, values }, operation);
  return (schema, id) => {
    const given = [...values];
    const noted = `INSERT INTO ${schema}."${notesTable}" (tenant, id, at) SELECT $1::text, ${placeOf(given, id)}::uuid, ${nowSql} FROM done`;
    return {
      sql: `WITH done AS (${sql}), noted AS (${noted}) SELECT made FROM done`,
      values: given,
    };
  };
}
