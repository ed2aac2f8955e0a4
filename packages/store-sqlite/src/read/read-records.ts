import type {
  RecordKey,
  RecordPart,
  SearchHit,
  SearchQuery,
  StoredRecord,
  Tally,
  TallyQuery,
} from '@ctx/store/backend';
import type { Connection } from '../driver/connection.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { keyOfRow, recordOfRow } from './read-record.ts';
import { isList } from './read-values.ts';
import { bestSql, type Ranked } from './search-sql.ts';
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

/** So many of the best matches are looked at before the scope is ranked by itself, at least and for each that is wanted. */
const leastLooks = 400;
const looksFor = 4;
/** More than a file holds. */
const mostRecords = 2 ** 40;

/** Reads the best matches in their order until so many of them lie in the scope. */
function hitsAmong(
  connection: Connection,
  table: CollectionTable,
  { query, ranked }: { readonly query: SearchQuery; readonly ranked: Ranked },
): { readonly hits: SearchHit[]; readonly looked: number } {
  const { equal, limit } = query;
  const { sql, values } = bestSql(table, query, ranked);
  const hits: SearchHit[] = [];
  let looked = 0;
  for (const row of connection.statement(sql).iterate(...values)) {
    if (isList(row)) continue; // Lists come only where they were asked for.
    looked += 1;
    const key = keyOfRow(table, row);
    if (!equal.every((part, at) => key[at] === part)) continue;
    hits.push({ key, score: -Number(row['hit_score']) });
    if (hits.length === limit) break;
  }
  return { hits, looked };
}

function bestHits(connection: Connection, table: CollectionTable, query: SearchQuery): SearchHit[] {
  const most = Math.max(leastLooks, looksFor * query.limit);
  const { hits, looked } = hitsAmong(connection, table, {
    query,
    ranked: { most, inScope: false },
  });
  if (hits.length === query.limit || looked < most) return hits;
  // A scope is less than a whole key: which record is meant is looked at in the matches.
  const isOne = query.equal.length === table.definition.key.length;
  const ranked = { most: isOne ? mostRecords : query.limit, inScope: true };
  return hitsAmong(connection, table, { query, ranked }).hits;
}

/** Ranked full text. No words, or a collection without search fields: no hits. */
export async function searchRecords(
  connection: Connection,
  table: CollectionTable,
  query: SearchQuery,
): Promise<SearchHit[]> {
  if (query.words.length === 0 || table.searchFields.length === 0 || query.limit === 0) return [];
  return await connection.read(() => bestHits(connection, table, query));
}
