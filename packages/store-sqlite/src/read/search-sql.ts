import { createHash } from 'node:crypto';
import type { SearchQuery } from '@ctx/store/backend';
import { type Condition, quoteName } from '@ctx/store/sql';
import type { CollectionTable } from '../schema/collection-table.ts';
import {
  limitSql,
  recordBody,
  recordId,
  scopeColumn,
  wordsColumnName,
  wordsTableName,
} from '../schema/names.ts';

/** Tokens that were made last: most records lie where others do. Beyond so many all are forgotten. */
const knownTokens = new Map<string, string>();
const mostKnownTokens = 1000;

/** The token of a leading part of a key. Core's words never look so: they are stemmed words of one record's text. */
function scopeToken(parts: readonly string[]): string {
  const text = JSON.stringify(parts);
  const known = knownTokens.get(text);
  if (known !== undefined) return known;
  const digest = createHash('sha256').update(text).digest('hex');
  const token = `k${digest.slice(0, 23)}`;
  if (knownTokens.size >= mostKnownTokens) knownTokens.clear();
  knownTokens.set(text, token);
  return token;
}

/** Tokens of all leading parts of a key but the whole of it, so that a search within them intersects two word lists. */
export function scopeTokens(key: readonly string[]): string {
  const lengths = key.map((_, at) => at + 1).slice(0, Math.max(1, key.length - 1));
  return lengths.map((length) => scopeToken(key.slice(0, length))).join(' ');
}

/** A word as FTS5 takes it literally, whatever it holds. */
function quoteWord(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}

/** Those words in the searched fields, in full-text syntax. */
export function wordsText(
  { definition: { search } }: CollectionTable,
  { words, every = false }: Pick<SearchQuery, 'words' | 'every'>,
): string {
  const fields = search.map(({ name }) => wordsColumnName(name)).join(' ');
  return `{${fields}} : (${words.map(quoteWord).join(every ? ' AND ' : ' OR ')})`;
}

/** As `text`, within the leading parts of a key. */
function scopedText({ definition: { key } }: CollectionTable, query: SearchQuery, text: string) {
  const scope = query.equal.slice(0, Math.max(1, key.length - 1));
  return `${scopeColumn} : ${quoteWord(scopeToken(scope))} AND ${text}`;
}

/** BM25 with the fields' weights; smaller is better. */
function scoreSql({ definition, searchFields }: CollectionTable): string {
  const weights = searchFields.map(({ weight }) => weight.toExponential()).join(', ');
  return `bm25(${quoteName(wordsTableName(definition.name))}, 0, ${weights})`;
}

/** Which matches are ranked, and what is read of them. */
export interface Ranked {
  /** So many of the best are given. */
  readonly most: number;
  /** Whether only those in the scope are ranked; else wherever they lie. */
  readonly inScope: boolean;
  /** Whether the newest of the scope are given in place of the best: then no other is ranked. */
  readonly isNewest?: boolean;
}

type Shape = Pick<Ranked, 'inScope'> & {
  readonly isNewest: boolean;
  readonly isWhole: boolean;
  readonly scopeLength: number;
};

function rankedSql(
  table: CollectionTable,
  { inScope, isNewest, isWhole, scopeLength }: Shape,
): string {
  const { name, key } = table.definition;
  const wordsTable = quoteName(wordsTableName(name));
  const order = isNewest ? 'rowid DESC' : 'hit_score, rowid';
  const scope =
    inScope && !isNewest
      ? ` AND +rowid IN (SELECT rowid FROM ${wordsTable} WHERE ${wordsTable} MATCH ?)`
      : '';
  const isMeant = key.slice(0, scopeLength).map((part) => `${quoteName(part)} = ?`);
  const body =
    scopeLength === 0 ? recordBody : `CASE WHEN ${isMeant.join(' AND ')} THEN ${recordBody} END`;
  const read = isWhole ? `${table.selected.columns}, ${body}` : key.map(quoteName).join(', ');
  return `SELECT ${recordId}, ${read}, hit_score FROM (
      SELECT rowid AS hit_id, ${scoreSql(table)} AS hit_score FROM ${wordsTable}
      WHERE ${wordsTable} MATCH ?${scope} ORDER BY ${order} ${limitSql}
    ) CROSS JOIN ${table.table} ON ${recordId} = hit_id`;
}

/** By shape: SQL that is built for each search is hashed for each, too, which takes longer than to build it. */
const knownSql = new WeakMap<CollectionTable, Map<string, string>>();

function knownRankedSql(table: CollectionTable, shape: Shape): string {
  const known = knownSql.get(table) ?? new Map<string, string>();
  knownSql.set(table, known);
  const name = `${shape.inScope} ${shape.isNewest} ${shape.isWhole} ${shape.scopeLength}`;
  const sql = known.get(name) ?? rankedSql(table, shape);
  known.set(name, sql);
  return sql;
}

/**
 * The best matches in their order: of equal ones that first which was stored first. A row holds the record as `selectByKey` selects it,
 * or its id and key alone unless `whole` records are wanted, then the score; outside the scope it has no body, which may be large.
 * The words alone are ranked: FTS5 reads the whole list of every word of a query for its rarity, and that of a scope is as long as the
 * scope has records.
 * The query's words are not empty.
 */
export function bestSql(
  table: CollectionTable,
  query: SearchQuery,
  { most, inScope, isNewest = false }: Ranked,
): Condition {
  const words = wordsText(table, query);
  const isWhole = query.whole === true;
  const scoped = inScope ? [scopedText(table, query, words)] : [];
  return {
    sql: knownRankedSql(table, { inScope, isNewest, isWhole, scopeLength: query.equal.length }),
    values: [...(isWhole ? query.equal : []), ...(isNewest ? [] : [words]), ...scoped, most],
  };
}
