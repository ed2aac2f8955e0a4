import type { Connection } from '../driver/connection.ts';
import type { SqliteRow, SqliteValue, SqliteValueList } from '../driver/sqlite-driver.ts';

/** Whether a driver gave a row as the list that it was asked for. */
export function isList(row: SqliteRow | SqliteValueList): row is SqliteValueList {
  return Array.isArray(row);
}

/** The rows of a query as lists of values, whatever the driver makes of them. */
export function readValues(
  connection: Connection,
  sql: string,
  values: readonly SqliteValue[],
): readonly SqliteValueList[] {
  const statement = connection.statement(sql);
  statement.setReturnArrays?.(true);
  return statement
    .all(...values)
    .map((row: SqliteRow | SqliteValueList) => (isList(row) ? row : Object.values(row)));
}
