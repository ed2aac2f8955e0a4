import { CtxError } from '@ctx/core';
import { type ColumnValue, completeColumns, type WriteOptions } from '@ctx/store/backend';
import { type Condition, quoteName } from '@ctx/store/sql';
import { type Connection, yieldToLoop } from '../driver/connection.ts';
import type { SqliteRow } from '../driver/sqlite-driver.ts';
import { rangeIdsSql } from '../read/scan-sql.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { recordId, recordVersion } from '../schema/names.ts';

/** After so many records others have their turn. */
const stepRecords = 2000;

/** The patch of a range, as SQL. */
export interface PreparedPatch {
  readonly ids: Condition;
  /** Its last `?` is a JSON list of ids. */
  readonly update: Condition;
  readonly range: NonNullable<WriteOptions['patchRanges']>[number];
}

/** Writes the SQL of a patch; reads no record. */
export function preparePatch(
  table: CollectionTable,
  range: NonNullable<WriteOptions['patchRanges']>[number],
): PreparedPatch {
  const complete = completeColumns(table.definition, range.columns);
  const names = table.columnNames.filter((name) => Object.hasOwn(range.columns, name));
  const assignments = [
    ...names.map((name) => `${quoteName(name)} = ?`),
    `${recordVersion} = ${recordVersion} + 1`,
  ];
  const values = names.map((name): ColumnValue => complete[name] ?? null);
  const where = `${recordId} IN (SELECT value FROM json_each(?))`;
  const sql = `UPDATE ${table.table} SET ${assignments.join(', ')} WHERE ${where}`;
  return { ids: rangeIdsSql(table, range), update: { sql, values }, range };
}

function idsIn(row: SqliteRow | undefined): readonly unknown[] {
  const ids: unknown = JSON.parse(String(row?.['ids']));
  return Array.isArray(ids) ? ids : [];
}

/**
 * Patches all records of a range. The ids are read first: the patch may move records within the index that finds them.
 * Within a transaction.
 * @throws `CTX_STORE_CONFLICT` where they are more or fewer than expected.
 */
export async function patchRecords(
  connection: Connection,
  { ids: { sql, values }, update, range }: PreparedPatch,
): Promise<void> {
  const ids = idsIn(connection.statement(sql).get(...values));
  const { expectCount = ids.length, index, collection } = range;
  if (ids.length !== expectCount) {
    const text = `a range of ${index} in ${collection} holds ${String(ids.length)} records`;
    throw new CtxError('CTX_STORE_CONFLICT', text);
  }
  for (let from = 0; from < ids.length; from += stepRecords) {
    const some = JSON.stringify(ids.slice(from, from + stepRecords));
    connection.statement(update.sql).run(...update.values, some);
    await yieldToLoop();
  }
}
