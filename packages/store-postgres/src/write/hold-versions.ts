import { quoteName } from '@ctx/store/sql';
import type { SqlSession } from '../driver/sql-driver.ts';
import { hasKey } from '../read/get-records.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { recordVersion } from '../schema/names.ts';
import { givenTable, givenValues, keyColumnLists, versionList } from './record-rows.ts';
import { noSize, type RowPatch, type RowsPlace, sendBatches, unmoved } from './write-rows.ts';

/** A record that has to stay as it is. */
type KeptRow = Pick<RowPatch, 'key' | 'version'>;

/** Fails where not all are held. */
function holdingSql(held: string, rows: number): string {
  return `WITH held AS (${held}) SELECT 1 / (count(*) = ${String(rows)})::integer FROM held`;
}

function holdOne(
  session: SqlSession,
  table: CollectionTable,
  { key, version }: KeptRow,
): Promise<unknown> {
  const where = `${hasKey(table)} AND ${recordVersion} = $${String(key.length + 1)}`;
  const sql = holdingSql(`SELECT 1 FROM ${table.table} WHERE ${where} FOR UPDATE`, 1);
  return session.lists(sql, [...key, version], { isRepeated: true });
}

/** In the order of their keys, so that no two writes wait for each other. */
function holdSeveral(
  { session, table, tenant }: RowsPlace,
  rows: readonly KeptRow[],
): Promise<unknown> {
  const keys = rows.map(({ key }) => key);
  const lists = [...keyColumnLists(table, keys), versionList(rows.map(({ version }) => version))];
  const [first = '', ...others] = table.keyColumns.map(
    ({ name }) => `${table.table}.${quoteName(name)}`,
  );
  const parts = [...others, `${table.table}.${recordVersion}`];
  const isThere = parts.map((part, at) => `${part} = given.v${String(at)}`).join(' AND ');
  const sql = `SELECT 1 FROM ${table.table} JOIN ${givenTable(lists)} ON ${isThere}
    WHERE ${first} = $1 ORDER BY ${parts.join(', ')} FOR UPDATE OF ${quoteName(table.definition.name)}`;
  return session.query(holdingSql(sql, rows.length), givenValues(tenant, lists));
}

/**
 * Makes sure that records have their versions, and keep them until the transaction ends.
 * @throws `RecordsMoved` where one has another, or is missing: the write has to look.
 */
export function holdVersions(place: RowsPlace, rows: readonly KeptRow[]): Promise<void> {
  return sendBatches(rows, noSize, (batch) => {
    const [row, ...others] = batch;
    const isOne = row !== undefined && others.length === 0;
    return unmoved(isOne ? holdOne(place.session, place.table, row) : holdSeveral(place, batch));
  });
}
