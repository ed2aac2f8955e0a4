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
  const key = keyOfRow(table, row);
  const version = Number(row[recordVersion]);
  const columns = columnsOfRow(table, row);
  const place = { collection: table.definition.name, key, version };
  const sealed = table.readsAllColumns ? { ...place, columns } : place;
  const body = part === 'whole' ? decodeBody(sealed, row[recordBody]) : '';
  return { key, version, columns, body };
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
  table: CollectionTable,
  values: SqliteValueList,
  { part, columnNames, fixed }: ReadPart,
): StoredRecord {
  const { definition, readsAllColumns } = table;
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
  const found = { key, version: Number(values[version]), columns };
  if (part !== 'whole') return { ...found, body: '' };
  const isSealed = readsAllColumns && columnNames.length === table.columnNames.length;
  const place = { collection: name, key, version: found.version, ...(isSealed && { columns }) };
  return { ...found, body: decodeBody(place, values[version + 1]) };
}
