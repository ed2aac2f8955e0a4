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

/**
 * How much of the best matches lay in a scope: all, so that no more are asked for than are wanted, and those at once; `some`, so that they
 * are read one by one; or too few, so that the scope is ranked by itself.
 */
interface Share {
  readonly share: 'all' | 'some' | 'few';
  /** Searches until the scope is looked at again as if it were new. */
  readonly left: number;
}

const knownShares = new Map<string, Share>();
const mostKnownShares = 1000;
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

function statementOf({ connection, table, query }: Searching, ranked: Ranked) {
  const { sql, values } = bestSql(table, query, ranked);
  const statement = connection.statement(sql);
  statement.setReturnArrays?.(true);
  return { statement, values };
}

function rowsOf(searching: Searching, ranked: Ranked) {
  const { statement, values } = statementOf(searching, ranked);
  return statement.iterate(...values);
}

interface Found {
  readonly hits: readonly SearchHit[];
  readonly share: 'all' | 'some';
}

/**
 * Reads the best matches in their order until enough of them lie in the scope. `undefined` if too few of the first lie there, or if there
 * may be more further on.
 */
function lookAlong(searching: Searching, ranked: Ranked): Found | undefined {
  const { limit } = searching.query;
  const fewest = ranked.inScope ? 0 : limit * leastShare;
  const hits: SearchHit[] = [];
  const found = (looked: number): Found => ({
    hits,
    share: hits.length === looked ? 'all' : 'some',
  });
  let looked = 0;
  for (const row of rowsOf(searching, ranked)) {
    looked += 1;
    const hit = hitOf(searching, isList(row) ? row : Object.values(row));
    if (hit !== undefined) hits.push(hit);
    if (hits.length === limit) return found(looked);
    if (looked === limit && hits.length < fewest) return undefined;
  }
  return ranked.inScope || looked < ranked.most ? found(looked) : undefined;
}

/** Reads as many of the best matches as are wanted, at once. `undefined` if some of them lie elsewhere. */
function lookAtOnce(searching: Searching): readonly SearchHit[] | undefined {
  const { statement, values } = statementOf(searching, {
    most: searching.query.limit,
    inScope: false,
  });
  const hits: SearchHit[] = [];
  for (const row of statement.all(...values)) {
    const hit = hitOf(searching, isList(row) ? row : Object.values(row));
    if (hit === undefined) return undefined;
    hits.push(hit);
  }
  return hits;
}

function keepShare(scope: string, known: Share | undefined, share: Share['share']): void {
  const isCounted = known !== undefined && known.share !== 'all';
  const left = isCounted ? known.left - 1 : triedAgainAfter;
  if (left === 0) knownShares.delete(scope);
  else knownShares.set(scope, { share, left });
  if (knownShares.size > mostKnownShares) knownShares.clear();
}

/** Ranks the matches wherever they lie. */
function lookAmong(searching: Searching): Found | undefined {
  const most = Math.max(leastLooks, looksFor * searching.query.limit);
  return lookAlong(searching, { most, inScope: false });
}

/** Ranks the scope alone. */
function lookWithin(searching: Searching): readonly SearchHit[] {
  const { query, table } = searching;
  // A scope is less than a whole key: which record is meant is looked at in the matches.
  const isOne = query.equal.length === table.definition.key.length;
  const ranked = { most: isOne ? mostRecords : query.limit, inScope: true };
  return lookAlong(searching, ranked)?.hits ?? [];
}

/** The best hits, found among the best matches wherever they lie or, if few of those lie in the scope, by ranking the scope alone. */
function bestHits(searching: Searching): readonly SearchHit[] {
  const { connection, query } = searching;
  const scope = JSON.stringify([connection.path, query.collection, ...query.equal]);
  const known = knownShares.get(scope);
  const atOnce = known?.share === 'all' ? lookAtOnce(searching) : undefined;
  if (atOnce !== undefined) return atOnce;
  const among = known?.share === 'few' ? undefined : lookAmong(searching);
  if (among === undefined) {
    keepShare(scope, known, 'few');
    return lookWithin(searching);
  }
  // What was no longer all of it is read one by one for a while, whatever the next search finds.
  keepShare(scope, known, known === undefined ? among.share : 'some');
  return among.hits;
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
