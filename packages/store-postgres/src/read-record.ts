import { type ColumnValue, CtxError, type RecordPart, type StoredRecord } from '@ctx/core';
import type { CollectionTable } from './collection-table.ts';
import { recordBody, recordPacked, recordVersion } from './names.ts';
import { decodeBody } from './record-body.ts';
import type { SqlRow } from './sql-driver.ts';

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

/** A row of `selected` as a record of its own. */
export function recordOfRow(table: CollectionTable, row: SqlRow, part: RecordPart): StoredRecord {
  const columns: Record<string, ColumnValue> = {};
  for (const { name } of table.columns)
    columns[name] = columnValue(row[name], table.definition.name);
  return {
    key: keyOfRow(table, row),
    version: Number(row[recordVersion]),
    columns,
    body: part === 'whole' ? decodeBody(row[recordBody], row[recordPacked]) : '',
  };
}
