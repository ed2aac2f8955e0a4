import { CtxError } from '@ctx/core';
import type { ColumnValue, RecordPart, StoredRecord } from '@ctx/store/backend';
import type { SqliteRow, SqliteValue, SqliteValueList } from '../driver/sqlite-driver.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { recordBody, recordVersion } from '../schema/names.ts';
import { decodeBody } from './record-body.ts';

function corrupt(collection: string): CtxError {
  return new CtxError('CTX_STORE_CORRUPT', `a row of ${collection} holds what ctx has not written`);
}

/** Throws: `CTX_STORE_CORRUPT` for anything but text, a number or null. */
export function columnValue(value: SqliteValue | undefined, collection: string): ColumnValue {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  throw corrupt(collection);
}

/** The key in a row. */
export function keyOfRow({ definition }: CollectionTable, row: SqliteRow): string[] {
  return definition.key.map((part) => {
    const value = row[part];
    if (typeof value === 'string') return value;
    throw corrupt(definition.name);
  });
}

/** The columns in a row. */
function columnsOfRow(
  { definition, columnNames }: CollectionTable,
  row: SqliteRow,
): Record<string, ColumnValue> {
  const columns: Record<string, ColumnValue> = {};
  for (const name of columnNames) columns[name] = columnValue(row[name], definition.name);
  return columns;
}

/** A row of `selected` as a record of its own. */
export function recordOfRow(
  table: CollectionTable,
  row: SqliteRow,
  part: RecordPart,
): StoredRecord {
  return {
    key: keyOfRow(table, row),
    version: Number(row[recordVersion]),
    columns: columnsOfRow(table, row),
    body: part === 'whole' ? decodeBody(row[recordBody]) : '',
  };
}

/** What a list of values holds: the row's id, the key, these columns, the version and, for the whole of a record, the body. */
export interface ReadPart {
  readonly part: RecordPart;
  readonly columnNames: readonly string[];
  /** By place in the list: what is not in it, since every record of the query has it. */
  readonly fixed: readonly (ColumnValue | undefined)[];
}

/** A list of values as a record of its own. */
export function recordOfValues(
  { definition }: CollectionTable,
  values: SqliteValueList,
  { part, columnNames, fixed }: ReadPart,
): StoredRecord {
  const { name } = definition;
  const firstColumn = definition.key.length + 1;
  const key: string[] = [];
  for (let at = 1; at < firstColumn; at += 1) {
    const value = fixed[at] ?? values[at];
    if (typeof value !== 'string') throw corrupt(name);
    key.push(value);
  }
  const columns: Record<string, ColumnValue> = {};
  let version = firstColumn;
  for (const column of columnNames) {
    columns[column] = fixed[version] ?? columnValue(values[version], name);
    version += 1;
  }
  return {
    key,
    version: Number(values[version]),
    columns,
    body: part === 'whole' ? decodeBody(values[version + 1]) : '',
  };
}

/**
 * A record of which the body is at hand; its columns are read where somebody looks at them: most words are in the body, and reading the
 * columns of a row costs more than all else that is done for its words. Throws: `CTX_STORE_CORRUPT`.
 */
export function recordWithBody(
  table: CollectionTable,
  values: SqliteValueList,
  rowOf: () => SqliteRow | undefined,
): StoredRecord {
  const parts = table.definition.key.length;
  const key = values.slice(1, parts + 1).map((value) => {
    if (typeof value === 'string') return value;
    throw corrupt(table.definition.name);
  });
  return {
    key,
    version: Number(values[parts + 1]),
    get columns() {
      return columnsOfRow(table, rowOf() ?? {});
    },
    body: decodeBody(values[parts + 2]),
  };
}
