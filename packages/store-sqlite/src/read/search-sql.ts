import { createHash } from 'node:crypto';
import type { SearchQuery } from '@ctx/store/backend';
import type { CollectionTable } from '../schema/collection-table.ts';
import {
  limitSql,
  quoteName,
  recordId,
  scopeColumn,
  wordsColumnName,
  wordsTableName,
} from '../schema/names.ts';
import { allOf, type Condition, equalTos } from './conditions.ts';

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
function wordsText(
  { definition: { search } }: CollectionTable,
  { words, every = false }: SearchQuery,
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

/**
 * The best so many matches wherever they lie, of equal ones any. The scope is looked at in their keys: as a word of the query its whole
 * list, as long as the scope has records, would be read for its rarity.
 * Contract: the query's words are not empty.
 */
export function bestAnywhereSql(
  table: CollectionTable,
  query: SearchQuery,
  limit: number,
): Condition {
  const wordsTable = quoteName(wordsTableName(table.definition.name));
  const keyNames = table.definition.key.map(quoteName).join(', ');
  return {
    sql: `SELECT ${keyNames}, hit_score FROM (
        SELECT rowid AS hit_id, ${scoreSql(table)} AS hit_score FROM ${wordsTable}
        WHERE ${wordsTable} MATCH ? ORDER BY hit_score ${limitSql}
      ) CROSS JOIN ${table.table} ON ${recordId} = hit_id`,
    values: [wordsText(table, query), limit],
  };
}

/**
 * Ranks all matches within the scope, then looks up only those that are as good as the last one wanted.
 * Contract: the query's words are not empty.
 */
export function searchSql(table: CollectionTable, query: SearchQuery): Condition {
  const { definition } = table;
  const wordsTable = quoteName(wordsTableName(definition.name));
  const keyNames = definition.key.map(quoteName).join(', ');
  const { sql, values } = allOf(equalTos(definition.key, query.equal));
  const words = wordsText(table, query);
  return {
    sql: `WITH hit AS MATERIALIZED (
        SELECT rowid AS hit_id, ${scoreSql(table)} AS hit_score FROM ${wordsTable}
        WHERE ${wordsTable} MATCH ? AND +rowid IN (SELECT rowid FROM ${wordsTable} WHERE ${wordsTable} MATCH ?)
      ), best AS (SELECT hit_score FROM hit ORDER BY hit_score ${limitSql})
      SELECT ${keyNames}, hit_score FROM hit CROSS JOIN ${table.table} ON ${recordId} = hit_id
      WHERE hit_score <= (SELECT max(hit_score) FROM best) AND ${sql}
      ORDER BY hit_score, ${keyNames} ${limitSql}`,
    values: [words, scopedText(table, query, words), query.limit, ...values, query.limit],
  };
}
