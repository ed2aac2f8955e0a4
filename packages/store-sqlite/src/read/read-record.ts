import type { ColumnValue, ScanQuery, StoredRecord } from '@ctx/store/backend';
import { columnValue, keyOf } from '@ctx/store/sql';
import type { SqliteRow, SqliteValueList } from '../driver/sqlite-driver.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { recordBody, recordVersion } from '../schema/names.ts';
import { decodeBody } from './record-body.ts';

/** The key in a row. */
export function keyOfRow({ definition }: CollectionTable, row: SqliteRow): string[] {
  return keyOf(definition, (part) => row[part]);
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
  part: NonNullable<ScanQuery['part']>,
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
  readonly part: NonNullable<ScanQuery['part']>;
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
  const key = keyOf(definition, (_, at) => fixed[at + 1] ?? values[at + 1]);
  const columns: Record<string, ColumnValue> = {};
  let at = key.length + 1;
  for (const column of columnNames) {
    columns[column] = fixed[at] ?? columnValue(values[at], name);
    at += 1;
  }
  const version = Number(values[at]);
  if (part !== 'whole') return { key, version, columns, body: '' };
  const isSealed = readsAllColumns && columnNames.length === table.columnNames.length;
  const place = { collection: name, key, version };
  const body = decodeBody(isSealed ? { ...place, columns } : place, values[at + 1]);
  return { key, version, columns, body };
}
