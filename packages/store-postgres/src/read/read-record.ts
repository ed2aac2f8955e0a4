import type { ColumnValue, StoredRecord } from '@ctx/store/backend';
import { columnValue, keyOf } from '@ctx/store/sql';
import type { SqlList, SqlRow } from '../driver/sql-driver.ts';
import type { CollectionTable, RecordSelection } from '../schema/collection-table.ts';
import { decodeBody } from './record-body.ts';

/** The key in a row. */
export function keyOfRow({ definition }: CollectionTable, row: SqlRow): string[] {
  return keyOf(definition, (part) => row[part]);
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
    key: keyOf(table.definition, (_, part) => values[part]),
    version: Number(values[at]),
    columns,
    body: part === 'whole' ? decodeBody(values[at + 1], values[at + 2]) : '',
  };
}
