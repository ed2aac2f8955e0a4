import type { SearchHit, SearchQuery } from '@ctx/store/backend';
import type { Connection } from '../driver/connection.ts';
import type { SqliteValueList } from '../driver/sqlite-driver.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { type ReadPart, recordOfValues } from './read-record.ts';
import { tellingWords } from './common-words.ts';
import { isList } from './read-values.ts';
import { bestSql, type Ranked } from './search-sql.ts';

/** So many times the wanted matches are looked at before the scope is ranked by itself, and so many at least. */
const looksFor = 8;
const leastLooks = 100;
/** That pays if at least this share of the first that are looked at lies in the scope. */
const leastShare = 1 / 8;
/** More than a file holds. */
const mostRecords = 2 ** 40;

/** Scopes whose best matches were not found among the best of all: they are ranked by themselves at once, until it is tried again. */
const knownSmall = new Map<string, number>();
const mostKnownSmall = 1000;
const triedAgainAfter = 64;

/** What a search reads. */
interface Searching {
  readonly connection: Connection;
  readonly table: CollectionTable;
  readonly query: SearchQuery;
  readonly read: ReadPart;
}

/** A row of {@link bestSql} that lies in the scope. */
function hitOf({ table, query, read }: Searching, values: SqliteValueList): SearchHit | undefined {
  if (!query.equal.every((part, at) => values[at + 1] === part)) return undefined;
  const score = -Number(values.at(-1));
  if (query.whole !== true) {
    return { key: values.slice(1, table.definition.key.length + 1).map(String), score };
  }
  const record = recordOfValues(table, values, read);
  return { key: record.key, score, record };
}

function rowsOf({ connection, table, query }: Searching, ranked: Ranked) {
  const { sql, values } = bestSql(table, query, ranked);
  const statement = connection.statement(sql);
  statement.setReturnArrays?.(true);
  return statement.iterate(...values);
}

/**
 * Reads the best matches in their order until enough of them lie in the scope. `undefined` if too few of the first lie there, or if there
 * may be more further on.
 */
function lookAlong(searching: Searching, ranked: Ranked): readonly SearchHit[] | undefined {
  const { limit } = searching.query;
  const fewest = ranked.inScope ? 0 : limit * leastShare;
  const hits: SearchHit[] = [];
  let looked = 0;
  for (const row of rowsOf(searching, ranked)) {
    looked += 1;
    const hit = hitOf(searching, isList(row) ? row : Object.values(row));
    if (hit !== undefined) hits.push(hit);
    if (hits.length === limit) return hits;
    if (looked === limit && hits.length < fewest) return undefined;
  }
  return ranked.inScope || looked < ranked.most ? hits : undefined;
}

/** The best hits, found among the best matches wherever they lie or, if few of those lie in the scope, by ranking the scope alone. */
function bestHits(searching: Searching): readonly SearchHit[] {
  const { connection, query, table } = searching;
  const scope = JSON.stringify([connection.path, query.collection, ...query.equal]);
  const left = knownSmall.get(scope) ?? 0;
  const most = Math.max(leastLooks, looksFor * query.limit);
  const among = left > 0 ? undefined : lookAlong(searching, { most, inScope: false });
  if (among !== undefined) return among;
  if (knownSmall.size >= mostKnownSmall) knownSmall.clear();
  knownSmall.set(scope, left > 0 ? left - 1 : triedAgainAfter);
  // A scope is less than a whole key: which record is meant is looked at in the matches.
  const isOne = query.equal.length === table.definition.key.length;
  const ranked = { most: isOne ? mostRecords : query.limit, inScope: true };
  return lookAlong(searching, ranked) ?? [];
}

/** So many wanted hits are candidates for another ranking, and no list for a reader. */
const manyHits = 200;

/** The hits, and after them the newest records of the scope that hold words of the query, best first. */
function withNewest(searching: Searching, hits: readonly SearchHit[]): readonly SearchHit[] {
  const { limit } = searching.query;
  const known = new Set(hits.map(({ key }) => JSON.stringify(key)));
  const newest: SearchHit[] = [];
  const most = limit + hits.length;
  for (const row of rowsOf(searching, { most, inScope: true, isNewest: true })) {
    if (hits.length + newest.length >= limit) break;
    const hit = hitOf(searching, isList(row) ? row : Object.values(row));
    if (hit !== undefined && !known.has(JSON.stringify(hit.key))) newest.push(hit);
  }
  return [...hits, ...newest.sort((a, b) => b.score - a.score)];
}

/** Many hits are ranked by the words that tell records apart: all records that hold a common word, too, take a hundred times as long. */
function candidateHits(searching: Searching): readonly SearchHit[] {
  const { connection, table, query } = searching;
  const { words, equal, every, limit } = query;
  const isOne = equal.length === table.definition.key.length;
  if (limit < manyHits || every === true || isOne) return bestHits(searching);
  const telling = tellingWords(connection, table, words);
  if (telling.length === words.length) return bestHits(searching);
  if (telling.length === 0) return withNewest(searching, []);
  const hits = bestHits({ ...searching, query: { ...query, words: telling } });
  return hits.length < limit ? withNewest(searching, hits) : hits;
}

/** Ranked full text. No words, or a collection without search fields: no hits. */
export async function searchRecords(
  connection: Connection,
  table: CollectionTable,
  query: SearchQuery,
): Promise<SearchHit[]> {
  if (query.words.length === 0 || table.searchFields.length === 0 || query.limit === 0) return [];
  const read: ReadPart = { part: 'whole', columnNames: table.columnNames, fixed: [] };
  return await connection.read(() => [...candidateHits({ connection, table, query, read })]);
}
