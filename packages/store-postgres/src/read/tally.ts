import type { Tally, TallyQuery } from '@ctx/store/backend';
import { quoteName, rangeCondition, tallyOfRow } from '@ctx/store/sql';
import type { SqlSession, SqlValue } from '../driver/sql-driver.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { placed } from './conditions.ts';
import type { Statement } from './scan-sql.ts';

/** The answer comes as columns g0, g1, … for the group, n for the count, s0, s1, … for the sums. */
function tallyStatement(table: CollectionTable, query: TallyQuery): Statement {
  const values: SqlValue[] = [];
  const where = placed(rangeCondition(table.index(query.index), query), values);
  const groups = (query.groupBy ?? []).map(quoteName);
  const sums = (query.sums ?? []).map(
    (sum, at) => `coalesce(sum(${quoteName(sum)}), 0) AS s${String(at)}`,
  );
  const named = groups.map((group, at) => `${group} AS g${String(at)}`);
  const selected = [...named, 'count(*) AS n', ...sums].join(', ');
  const ordered = groups.map((group) => `${group} NULLS FIRST`).join(', ');
  const groupBy = groups.length === 0 ? '' : ` GROUP BY ${groups.join(', ')} ORDER BY ${ordered}`;
  return { sql: `SELECT ${selected} FROM ${table.table} WHERE ${where}${groupBy}`, values };
}

/** Counts and adds up what a scan would give. Goes through the records, or through the index alone where it holds the sums. */
export async function tallyRecords(
  session: SqlSession,
  table: CollectionTable,
  query: TallyQuery,
): Promise<Tally[]> {
  const { sql, values } = tallyStatement(table, query);
  const rows = await session.query(sql, values);
  return rows.map((row) => tallyOfRow(query, row));
}
