import type { CollectionDefinition } from '@ctx/store/backend';
import { quoteName } from '@ctx/store/sql';
import {
  indexName,
  newWordsTableName,
  recordBody,
  recordId,
  recordVersion,
  recordWords,
  scopeColumn,
  wordsColumnName,
  wordsTableName,
} from './names.ts';

const sqlTypes: Readonly<Record<CollectionDefinition['columns'][string]['type'], string>> = {
  text: 'TEXT',
  integer: 'INTEGER',
  real: 'REAL',
};

function columnSql(name: string, type: CollectionDefinition['columns'][string]['type']): string {
  return `${quoteName(name)} ${sqlTypes[type]}`;
}

/**
 * The table of a collection. The body comes last, so that reading columns does not touch its pages. Columns are not
 * `NOT NULL`: core checks that, and a column that a later version adds is null in older records.
 */
export function tableSql(definition: CollectionDefinition): string[] {
  const parts = [
    `${recordId} INTEGER PRIMARY KEY`,
    ...definition.key.map((part) => `${quoteName(part)} TEXT NOT NULL`),
    ...Object.entries(definition.columns).map(([name, { type }]) => columnSql(name, type)),
    `${recordVersion} INTEGER NOT NULL`,
    `${recordWords} INTEGER NOT NULL`,
    `${recordBody} BLOB NOT NULL`,
  ];
  const table = `CREATE TABLE ${quoteName(definition.name)} (${parts.join(', ')})`;
  const keyIndex = quoteName(indexName(definition.name, 'key'));
  const key = definition.key.map(quoteName).join(', ');
  return [table, `CREATE UNIQUE INDEX ${keyIndex} ON ${quoteName(definition.name)} (${key})`];
}

/** Adds one column to a table that exists. */
export function addColumnSql(
  collection: string,
  name: string,
  type: CollectionDefinition['columns'][string]['type'],
): string {
  return `ALTER TABLE ${quoteName(collection)} ADD COLUMN ${columnSql(name, type)}`;
}

/**
 * One declared index. What it keeps sums of stands in it, too, so that a tally's edges need no rows of the table. Records that no
 * query of it asks for are left out.
 */
export function indexSql(
  definition: CollectionDefinition,
  index: CollectionDefinition['indexes'][number],
): string {
  const name = quoteName(indexName(definition.name, index.name));
  const names = new Set([...index.fields, ...definition.key, ...(index.tally?.sums ?? [])]);
  const fields = [...names].map(quoteName).join(', ');
  const { notNull } = index;
  const where = notNull === undefined ? '' : ` WHERE ${quoteName(notNull)} IS NOT NULL`;
  return `CREATE INDEX ${name} ON ${quoteName(definition.name)} (${fields})${where}`;
}

function wordsColumns(definition: Pick<CollectionDefinition, 'search'>): string[] {
  return [scopeColumn, ...definition.search.map(({ name }) => wordsColumnName(name))];
}

/**
 * The full-text table. It keeps no words of its own (contentless) and can forget a record without being told what it
 * held. Words come split and stemmed, so that the plainest tokenizer does.
 */
export function wordsTableSql(definition: CollectionDefinition): string[] {
  const columns = wordsColumns(definition).map(quoteName);
  const options = `content='', contentless_delete=1, tokenize='ascii'`;
  const table = quoteName(wordsTableName(definition.name));
  return [`CREATE VIRTUAL TABLE ${table} USING fts5(${columns.join(', ')}, ${options})`];
}

/** Moves all words that wait in a store of layout 2 into the full-text table, but for those that are still to be found in their records. */
export function indexWordsSql(definition: Pick<CollectionDefinition, 'name' | 'search'>): string[] {
  const columns = wordsColumns(definition).map(quoteName).join(', ');
  const newWords = quoteName(newWordsTableName(definition.name));
  return [
    `INSERT INTO ${quoteName(wordsTableName(definition.name))} (rowid, ${columns})
      SELECT ${recordId}, ${columns} FROM ${newWords} WHERE ${scopeColumn} <> ''`,
    `DELETE FROM ${newWords} WHERE ${scopeColumn} <> ''`,
  ];
}

/** Adds the words of one record to the full-text table: its row, the scope, then the fields. */
export function addWordsSql(definition: Pick<CollectionDefinition, 'name' | 'search'>): string {
  const columns = wordsColumns(definition).map(quoteName);
  const places = columns.map(() => '?').join(', ');
  return `INSERT INTO ${quoteName(wordsTableName(definition.name))} (rowid, ${columns.join(', ')}) VALUES (?, ${places})`;
}
