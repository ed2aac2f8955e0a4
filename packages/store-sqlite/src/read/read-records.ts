import type {
  RecordKey,
  RecordPart,
  SearchHit,
  SearchQuery,
  StoredRecord,
  Tally,
  TallyQuery,
} from '@ctx/store/backend';
import { compareKeys } from '@ctx/store/backend';
import type { Connection } from '../driver/connection.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import type { Condition } from './conditions.ts';
import { keyOfRow, recordOfRow } from './read-record.ts';
import { bestAnywhereSql, searchSql } from './search-sql.ts';
import { tallyOfRow, tallySql } from './tally-sql.ts';

/** Does reads that belong together at one state of the file: another thread or process may commit between two statements. */
function atOnce<Found>(connection: Connection, find: () => Found): Found {
  connection.execute('BEGIN');
  try {
    return find();
  } finally {
    connection.execute('COMMIT');
  }
}

/** Reads by key, in the order asked, all at one state of the store. */
export function getRecords(
  connection: Connection,
  table: CollectionTable,
  { keys, part }: { keys: readonly RecordKey[]; part: RecordPart },
): Promise<(StoredRecord | undefined)[]> {
  const sql = table.selectByKey[part];
  return connection.read(() => {
    const statement = connection.statement(sql);
    const find = (): (StoredRecord | undefined)[] =>
      keys.map((key) => {
        const row = statement.get(...key);
        return row && recordOfRow(table, row, part);
      });
    return keys.length > 1 ? atOnce(connection, find) : find();
  });
}

/** Counts and sums. */
export function tallyRecords(
  connection: Connection,
  table: CollectionTable,
  query: TallyQuery,
): Promise<Tally[]> {
  const { sql, values } = tallySql(table, query);
  return connection.read(() =>
    connection
      .statement(sql)
      .all(...values)
      .map((row) => tallyOfRow(table.definition.name, query, row)),
  );
}

/** So many times what is wanted is looked at before the scope is searched by itself; and how much is too much for that. */
const looksFor = 4;
const mostLooks = 4_000;

/** Those of the best matches anywhere that lie in the scope, where nothing that was not looked at can be among them; else `undefined`. */
function hitsAmongBest(
  connection: Connection,
  table: CollectionTable,
  query: SearchQuery,
): SearchHit[] | undefined {
  const { equal, limit } = query;
  const looks = looksFor * limit;
  if (looks > mostLooks) return undefined;
  const hits = hitsOf(connection, table, bestAnywhereSql(table, query, looks));
  const last =
    hits.length < looks ? Number.NEGATIVE_INFINITY : Math.min(...hits.map(({ score }) => score));
  const sure = hits.filter(
    ({ key, score }) => score > last && equal.every((part, at) => key[at] === part),
  );
  if (hits.length === looks && sure.length < limit) return undefined;
  return sure
    .toSorted((one, other) => other.score - one.score || compareKeys(one.key, other.key))
    .slice(0, limit);
}

function hitsOf(
  connection: Connection,
  table: CollectionTable,
  { sql, values }: Condition,
): SearchHit[] {
  const rows = connection.statement(sql).all(...values);
  return rows.map((row) => ({ key: keyOfRow(table, row), score: -Number(row['hit_score']) }));
}

/** Ranked full text. No words, or a collection without search fields: no hits. */
export async function searchRecords(
  connection: Connection,
  table: CollectionTable,
  query: SearchQuery,
): Promise<SearchHit[]> {
  if (query.words.length === 0 || table.searchFields.length === 0 || query.limit === 0) return [];
  return await connection.read(
    () =>
      hitsAmongBest(connection, table, query) ?? hitsOf(connection, table, searchSql(table, query)),
  );
}
