import type { RecordKey, SearchHit, SearchQuery } from '@ctx/core';
import { compareKeys } from '@ctx/core';
import type { CollectionTable } from './collection-table.ts';
import { allOf, equalTos, placeOf } from './conditions.ts';
import { quoteName, recordTerms, recordWords } from './names.ts';
import { keyOfRow } from './read-record.ts';
import { scopeToken } from './search-terms.ts';
import type { SqlRow, SqlSession, SqlValue } from './sql-driver.ts';

/** How fast further occurrences of a word count less, and how much length counts. Source: Robertson and Zaragoza, BM25 (2009). */
const saturation = 1.2;
const lengthShare = 0.75;

/** A record that holds a word of the query. */
interface Candidate {
  readonly key: RecordKey;
  /** Weighted, by word of the query. */
  readonly counts: readonly number[];
  readonly length: number;
}

/** The candidates, with the number of records that they were found among. */
interface Found {
  readonly candidates: readonly Candidate[];
  readonly records: number;
}

/** A candidate's columns: `w0`, `w1`, … for the words, `l` for the lengths. Contract: the words are not empty. */
function candidatesSql(
  table: CollectionTable,
  { equal, words }: SearchQuery,
  values: SqlValue[],
): string {
  const { definition, table: name, keyColumns } = table;
  const scope = equal.slice(0, Math.max(1, definition.key.length - 1));
  const inScope = `${recordWords} @> ARRAY[${placeOf(values, scopeToken(scope))}::text]`;
  const holds = `${recordWords} && ${placeOf(values, [...words])}::text[]`;
  const keys = keyColumns.map((column) => quoteName(column.name));
  const counts = words.map(
    (word, at) => `${recordTerms} -> ${placeOf(values, word)}::text AS w${String(at)}`,
  );
  const where = [inScope, holds, allOf(equalTos(definition.key, equal), values)].join(' AND ');
  return `SELECT ${[...keys, ...counts, `${recordTerms} -> '' AS l`].join(', ')} FROM ${name} WHERE ${where}`;
}

function weigh(counts: unknown, weights: readonly number[]): number {
  if (!Array.isArray(counts)) return 0;
  return counts.reduce<number>((sum, count, at) => sum + Number(count) * (weights[at] ?? 0), 0);
}

function candidateOf(table: CollectionTable, row: SqlRow, words: readonly string[]): Candidate {
  const weights = table.definition.search.map(({ weight }) => weight);
  return {
    key: keyOfRow(table, row),
    counts: words.map((_, at) => weigh(row[`w${String(at)}`], weights)),
    length: weigh(row['l'], weights),
  };
}

/**
 * Ranks by BM25 over fields: a word counts by its weight in the fields, and the more the rarer it is among the records.
 * Contract: pure; ties in the order of the keys.
 */
export function rankCandidates({ candidates, records }: Found, limit: number): SearchHit[] {
  const total = candidates.reduce((sum, { length }) => sum + length, 0);
  const mean = Math.max(1e-9, total / Math.max(1, candidates.length));
  const words = candidates[0]?.counts ?? [];
  const rarity = words.map((_, word) => {
    const holding = candidates.filter(({ counts }) => (counts[word] ?? 0) > 0).length;
    return Math.log(1 + (Math.max(records, holding) - holding + 0.5) / (holding + 0.5));
  });
  const scoreOf = ({ counts, length }: Candidate): number => {
    const slowing = saturation * (1 - lengthShare + (lengthShare * length) / mean);
    return counts.reduce(
      (sum, count, word) =>
        sum + ((rarity[word] ?? 0) * count * (saturation + 1)) / (count + slowing),
      0,
    );
  };
  const hits = candidates.map((candidate) => ({ key: candidate.key, score: scoreOf(candidate) }));
  hits.sort((left, right) => right.score - left.score || compareKeys(left.key, right.key));
  return hits.slice(0, limit);
}

async function recordsInScope(
  session: SqlSession,
  { definition, table }: CollectionTable,
  equal: readonly string[],
): Promise<number> {
  const values: SqlValue[] = [];
  const where = allOf(equalTos(definition.key, equal), values);
  const [row] = await session.query(
    `SELECT count(*) AS n FROM ${table} WHERE ${where} AND ${recordWords} IS NOT NULL`,
    values,
  );
  return Number(row?.['n']);
}

/** Finds records by their words. Cost: one look into the index for all, then what is known of each record that holds a word. */
export async function searchRecords(
  session: SqlSession,
  table: CollectionTable,
  query: SearchQuery,
): Promise<SearchHit[]> {
  const isSearched = table.definition.search.length > 0;
  if (!isSearched || query.words.length === 0 || query.limit === 0) return [];
  const values: SqlValue[] = [];
  const sql = candidatesSql(table, query, values);
  const rows = await session.query(sql, values);
  const candidates = rows.map((row) => candidateOf(table, row, query.words));
  const records = await recordsInScope(session, table, query.equal);
  return rankCandidates({ candidates, records }, query.limit);
}
