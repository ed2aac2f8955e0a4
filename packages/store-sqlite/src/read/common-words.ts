import { quoteName } from '@ctx/store/sql';
import type { Connection } from '../driver/connection.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { wordsTableName } from '../schema/names.ts';
import { readValues } from './read-values.ts';
import { wordsText } from './search-sql.ts';

/** In fewer records each match is ranked: that takes no longer than to know which words are common. */
const fewRecords = 10_000;

/** Words are counted again when there are so many more or fewer records, as a share of those at that time. */
const countedAgainAfter = 1 / 8;

const mostKnown = 5000;

interface Counted {
  /** The highest number of a record when it was counted. */
  readonly highest: number;
  readonly isCommon: boolean;
}

const counted = new WeakMap<CollectionTable, Map<string, Counted>>();

/** The highest number that a record with words has: at least how many there are. */
function highestOf(connection: Connection, table: CollectionTable): number {
  const sizes = quoteName(`${wordsTableName(table.definition.name)}_docsize`);
  const [row] = readValues(connection, `SELECT max(id) FROM ${sizes}`, []);
  return Number(row?.[0] ?? 0);
}

/** Stops at half of the records. */
function isInHalf(
  connection: Connection,
  table: CollectionTable,
  { word, highest }: { readonly word: string; readonly highest: number },
): boolean {
  const name = quoteName(wordsTableName(table.definition.name));
  const found = `SELECT rowid FROM ${name} WHERE ${name} MATCH ? LIMIT ?`;
  const half = Math.ceil(highest / 2);
  const match = wordsText(table, { words: [word] });
  const [row] = readValues(connection, `SELECT count(*) FROM (${found})`, [match, half]);
  return Number(row?.[0] ?? 0) >= half;
}

/**
 * Leaves out the words that half of the records hold: their rarity, and so what they add to a score, is nothing to FTS5, but to rank all
 * records that hold them is most of the time of a search. Reads the list of each word once until the records become an eighth more.
 */
export function tellingWords(
  connection: Connection,
  table: CollectionTable,
  words: readonly string[],
): readonly string[] {
  const highest = highestOf(connection, table);
  if (highest < fewRecords) return words;
  const known = counted.get(table) ?? new Map<string, Counted>();
  counted.set(table, known);
  if (known.size > mostKnown) known.clear();
  return words.filter((word) => {
    const before = known.get(word);
    const isFresh =
      before !== undefined &&
      Math.abs(highest - before.highest) <= before.highest * countedAgainAfter;
    const isCommon = isFresh ? before.isCommon : isInHalf(connection, table, { word, highest });
    if (!isFresh) known.set(word, { highest, isCommon });
    return !isCommon;
  });
}
