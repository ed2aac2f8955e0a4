import type { RecordKey, SearchHit, SearchQuery } from '@ctx/store/backend';
import { compareKeys } from '@ctx/store/backend';
import { allOf, equalTos, quoteName } from '@ctx/store/sql';
import type { SqlRow, SqlSession, SqlValue } from '../driver/sql-driver.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { recordTerms, recordWords } from '../schema/names.ts';
import { placed, placeOf } from './conditions.ts';
import { keyOfRow } from './read-record.ts';
import { scopeToken } from './search-terms.ts';

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
  /** How many records hold each word, where that is known better than by the candidates. */
  readonly holding?: readonly number[];
}

/** So many records are looked at for one search, and counted for the rarity of words. */
const usualBounds: SearchBounds = { candidates: 5000, records: 100_000 };

/** What a search in a large scope costs at most. */
export interface SearchBounds {
  readonly candidates: number;
  readonly records: number;
}

function scopeOf({ definition }: CollectionTable, equal: readonly string[]): string {
  return scopeToken(equal.slice(0, Math.max(1, definition.key.length - 1)));
}

/** A candidate's columns: `w0`, `w1`, … for the words, `l` for the lengths. The words are not empty. */
function candidatesSql(
  table: CollectionTable,
  {
    query: { equal, words, every = false },
    sought,
  }: { readonly query: SearchQuery; readonly sought: readonly string[] },
  values: SqlValue[],
): string {
  const { definition, table: name, keyColumns } = table;
  const inKey = placed(allOf(equalTos(definition.key, equal)), values);
  const required = [scopeOf(table, equal), ...(every ? words : [])];
  const inScope = `${recordWords} @> ${placeOf(values, required)}::text[]`;
  const holds = every ? [] : [`${recordWords} && ${placeOf(values, [...sought])}::text[]`];
  const keys = keyColumns.map((column) => quoteName(column.name));
  const counts = words.map(
    (word, at) => `${recordTerms} -> ${placeOf(values, word)}::text AS w${String(at)}`,
  );
  const where = [inKey, inScope, ...holds].join(' AND ');
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
 * Pure; ties in the order of the keys.
 */
export function rankCandidates(found: Found, limit: number): SearchHit[] {
  const { candidates, records, holding: known } = found;
  const total = candidates.reduce((sum, { length }) => sum + length, 0);
  const mean = Math.max(1e-9, total / Math.max(1, candidates.length));
  const words = candidates[0]?.counts ?? [];
  const rarity = words.map((_, word) => {
    const seen = candidates.filter(({ counts }) => (counts[word] ?? 0) > 0).length;
    const holding = Math.max(seen, known?.[word] ?? 0);
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

/** How many records there are, from an index alone: those without words, which no search finds yet, are counted as well. */
async function recordsInScope(
  session: SqlSession,
  { definition, table }: CollectionTable,
  { equal, most }: { readonly equal: readonly string[]; readonly most: number },
): Promise<number> {
  const values: SqlValue[] = [];
  const where = placed(allOf(equalTos(definition.key, equal)), values);
  const some = `SELECT 1 FROM ${table} WHERE ${where} LIMIT ${String(most)}`;
  const [row] = await session.query(`SELECT count(*) AS n FROM (${some}) AS found`, values);
  return Number(row?.['n']);
}

/** What a search reads of a table. */
interface Searching {
  readonly session: SqlSession;
  readonly table: CollectionTable;
  readonly query: SearchQuery;
  readonly most: number;
  /** So many records are counted. */
  readonly counted: number;
}

/** Records that hold a word of `sought`, at most one more than allowed, in no order. */
async function candidatesOf(
  { session, table, query, most }: Searching,
  sought: readonly string[],
): Promise<Candidate[]> {
  const values: SqlValue[] = [];
  const sql = candidatesSql(table, { query, sought }, values);
  const rows = await session.query(`${sql} LIMIT ${String(most + 1)}`, values);
  return rows.map((row) => candidateOf(table, row, query.words));
}

/** How many records hold each word. */
async function holdingOf({ session, table, query, counted }: Searching): Promise<number[]> {
  const { equal, words } = query;
  const values: SqlValue[] = [];
  const inKey = placed(allOf(equalTos(table.definition.key, equal)), values);
  const scope = placeOf(values, scopeOf(table, equal));
  const counts = words.map((word, at) => {
    const held = `${recordWords} @> ARRAY[${scope}::text, ${placeOf(values, word)}::text]`;
    const some = `SELECT 1 FROM ${table.table} WHERE ${held} AND ${inKey} LIMIT ${String(counted)}`;
    return `(SELECT count(*) FROM (${some}) AS found) AS n${String(at)}`;
  });
  const [row = {}] = await session.query(`SELECT ${counts.join(', ')}`, values);
  return words.map((_, at) => Number(row[`n${String(at)}`]));
}

/** The rarest words that so many records hold together at most. */
export function rareWords(
  words: readonly string[],
  holding: readonly number[],
  most: number,
): string[] {
  const rare: string[] = [];
  let left = most;
  const byRarity = words.map((word, at) => ({ word, count: holding[at] ?? 0 }));
  for (const { word, count } of byRarity.sort((one, other) => one.count - other.count)) {
    left -= count;
    if (left < 0) break;
    rare.push(word);
  }
  return rare;
}

/** Where more records hold a word than are looked at: all that hold a rare one, then others as far as they are asked for. */
async function boundedCandidates(
  searching: Searching,
  some: readonly Candidate[],
): Promise<Pick<Found, 'candidates' | 'holding'>> {
  const { query, most } = searching;
  const holding = await holdingOf(searching);
  const rare = rareWords(query.words, holding, most);
  const found = rare.length === 0 ? [] : await candidatesOf(searching, rare);
  if (found.length >= query.limit) return { candidates: found, holding };
  const names = new Set(found.map(({ key }) => JSON.stringify(key)));
  const others = some.filter(({ key }) => !names.has(JSON.stringify(key)));
  return { candidates: [...found, ...others], holding };
}

/**
 * Finds records by their words. Looks once into the index for all, then what is known of each record that holds a word. Of more
 * than 5,000 such records in the scope all that hold the rare words are looked at, and any others only where these are fewer than asked
 * for: a record that holds none but common words may be missed then. Rarity is counted over up to 100,000 records, lengths are
 * compared among those looked at.
 */
export async function searchRecords(
  session: SqlSession,
  table: CollectionTable,
  { bounds = usualBounds, ...query }: SearchQuery & { readonly bounds?: SearchBounds },
): Promise<SearchHit[]> {
  const isSearched = table.definition.search.length > 0;
  if (!isSearched || query.words.length === 0 || query.limit === 0) return [];
  const most = Math.max(bounds.candidates, query.limit);
  const searching = { session, table, query, most, counted: bounds.records };
  const some = await candidatesOf(searching, query.words);
  const found =
    some.length <= most ? { candidates: some } : await boundedCandidates(searching, some);
  const scope = { equal: query.equal, most: bounds.records };
  const records = await recordsInScope(session, table, scope);
  return rankCandidates({ ...found, records }, query.limit);
}
