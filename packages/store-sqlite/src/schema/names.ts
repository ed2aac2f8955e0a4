import { CtxError } from '@ctx/core';

/** Names that ctx adds hold a sign that no declared name can hold: `$` between, `_` in front. */
export const recordId = '_id';
export const recordVersion = '_version';
export const recordBody = '_body';
/** 1 where the record has search words, else 0. */
export const recordWords = '_words';

/**
 * A limit that is given as a value. As a bare `?` it would be part of the plan: SQLite then prepares the statement anew before each
 * run, which takes longer than reading a row. Source: SQLite 3.46 and later, measured.
 */
export const limitSql = 'LIMIT ? + 0';

/** The table of facts about the file: layout, definitions. */
export const metaTable = 'ctx$$meta';

/** SQLite keeps names that begin so for itself. */
export function checkTableName(name: string): void {
  if (name.startsWith('sqlite_')) {
    throw new CtxError('CTX_INVALID_INPUT', `SQLite keeps names like ${name} for itself`);
  }
}

/** The name of the SQL index behind a declared index, or behind the order of the key. */
export function indexName(collection: string, index: string): string {
  return `${collection}$${index}`;
}

/** The table that keeps the counts of an index with a tally hint. */
export function tallyTableName(collection: string, index: string): string {
  return `${collection}$${index}$tally`;
}

/** The full-text table of a collection. */
export function wordsTableName(collection: string): string {
  return `${collection}$$words`;
}

/** The table in which stores of layout 2 and before note records whose words are not yet in the full-text table. */
export function newWordsTableName(collection: string): string {
  return `${collection}$$new_words`;
}

/** The column of the full-text table behind a search field; the prefix keeps clear of FTS5's own names. */
export function wordsColumnName(field: string): string {
  return `in_${field}`;
}

/** The column of the full-text table that holds one token per leading part of the key. */
export const scopeColumn = 'scope';
