import { CtxError } from '@ctx/core';
import type { ColumnValue, StoredRecord } from '@ctx/store/backend';
import type { SqlList, SqlRow } from '../driver/sql-driver.ts';
import type { CollectionTable, RecordSelection } from '../schema/collection-table.ts';
import { decodeBody } from './record-body.ts';

function corrupt(collection: string): CtxError {
  return new CtxError('CTX_STORE_CORRUPT', `a row of ${collection} holds what ctx has not written`);
}

/** Throws: `CTX_STORE_CORRUPT` for anything but text, a number or null. */
export function columnValue(value: unknown, collection: string): ColumnValue {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  throw corrupt(collection);
}

/** The key in a row. */
export function keyOfRow({ definition }: CollectionTable, row: SqlRow): string[] {
  return definition.key.map((part) => {
    const value = row[part];
    if (typeof value === 'string') return value;
    throw corrupt(definition.name);
  });
}

/** The key at the beginning of a list of values. */
export function keyOfList({ definition }: CollectionTable, values: SqlList): string[] {
  return definition.key.map((_, part) => {
    const value = values[part];
    if (typeof value === 'string') return value;
    throw corrupt(definition.name);
  });
}

/** What was selected of a record as a record of its own. */
export function recordOfList(
  table: CollectionTable,
  { columns: selected, part }: RecordSelection,
  values: SqlList,
): StoredRecord {
  const columns: Record<string, ColumnValue> = {};
  let at = table.keyColumns.length;
  for (const { name } of selected) {
    columns[name] = columnValue(values[at], table.definition.name);
    at += 1;
  }
  return {
    key: keyOfList(table, values),
    version: Number(values[at]),
    columns,
    body: part === 'whole' ? decodeBody(values[at + 1], values[at + 2]) : '',
  };
}
