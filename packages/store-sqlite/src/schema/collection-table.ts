import { CtxError } from '@ctx/core';
import type {
  CollectionDefinition,
  IndexDefinition,
  RecordPart,
  SearchFieldDefinition,
  WordsOfRecord,
} from '@ctx/store/backend';
import { addWordsSql, orderFields, waitSql } from './create-tables.ts';
import {
  indexName,
  limitSql,
  newWordsTableName,
  quoteName,
  recordBody,
  recordId,
  recordVersion,
  recordWords,
  scopeColumn,
} from './names.ts';
import { type TallyTable, tallyTableOf } from './tally-table.ts';

/** An index as queries use it. */
export interface TableIndex {
  /** The fields that a scan position names. */
  readonly positionFields: readonly string[];
  /** Those of `equal` and range, then the rest of the key: the total order. */
  readonly fields: readonly string[];
  /** `table INDEXED BY index`: the planner may not choose another way. */
  readonly source: string;
  readonly tally: TallyTable | undefined;
}

/** A collection as queries use it. */
export interface CollectionTable {
  readonly definition: CollectionDefinition;
  readonly table: string;
  readonly columnNames: readonly string[];
  /** What to select for a record: key, columns, version and, for the whole of it, the body. */
  readonly selected: Readonly<Record<RecordPart, string>>;
  /** Condition on the values of a whole key. */
  readonly whereKey: string;
  /** Selects the record of a key. */
  readonly selectByKey: Readonly<Record<RecordPart, string>>;
  /** Selects key, columns and version of the row of an id. */
  readonly selectById: string;
  /** Selects the records whose words are still to be found in them, oldest first: id, key, version and body, so many at most. */
  readonly selectWaiting: string;
  /** Inserts key, columns, version, whether there are words, and body, unless the key is taken. */
  readonly insert: string;
  /** Finds the row of a key: its id, its version, whether it has words. */
  readonly findRow: string;
  /** Deletes the row of an id, or that of a key. */
  readonly deleteRow: string;
  readonly deleteByKey: string;
  /** Notes that the words of a row are still to be found in its record. */
  readonly wait: string;
  /** Adds the words of a row to those that wait, or to the full-text table. */
  readonly addWords: Readonly<Record<'waiting' | 'fullText', string>>;
  /** In the order of the full-text table's columns; weight 0 for fields that this program does not know. */
  readonly searchFields: readonly SearchFieldDefinition[];
  /** Finds the words of records that were put without them. */
  readonly wordsOf: WordsOfRecord | undefined;
  index(name: string): TableIndex;
}

function tableIndex(
  definition: CollectionDefinition,
  index: IndexDefinition,
  positionFields: readonly string[],
): TableIndex {
  const name = quoteName(indexName(definition.name, index.name));
  return {
    positionFields,
    fields: orderFields(definition, index),
    source: `${quoteName(definition.name)} INDEXED BY ${name}`,
    tally: tallyTableOf(definition, index),
  };
}

function insertSql({ name, key, columns }: CollectionDefinition): string {
  const fields = [...key, ...Object.keys(columns)].map(quoteName);
  const names = [...fields, recordVersion, recordWords, recordBody];
  const places = names.map(() => '?').join(', ');
  return `INSERT INTO ${quoteName(name)} (${names.join(', ')}) VALUES (${places}) ON CONFLICT DO NOTHING`;
}

function selectWaitingSql({ name, key }: CollectionDefinition): string {
  const waiting = quoteName(newWordsTableName(name));
  const selected = [...key.map(quoteName), recordVersion, recordBody].join(', ');
  return `SELECT ${waiting}.${recordId}, ${selected} FROM ${waiting} CROSS JOIN ${quoteName(name)} USING (${recordId})
    WHERE ${scopeColumn} = '' ORDER BY ${recordId} ${limitSql}`;
}

/** What a table needs beside the definition. */
export interface CollectionTableOptions {
  /** The fields of the full-text table. Default: those of the definition. */
  readonly storedFields?: readonly SearchFieldDefinition[];
  readonly wordsOf?: WordsOfRecord | undefined;
}

/** Works out once what all queries of a collection need. */
export function collectionTable(
  definition: CollectionDefinition,
  { storedFields = definition.search, wordsOf }: CollectionTableOptions = {},
): CollectionTable {
  const byKey = tableIndex(definition, { name: 'key', fields: definition.key }, []);
  const indexes = new Map([['key', byKey]]);
  for (const index of definition.indexes) {
    indexes.set(index.name, tableIndex(definition, index, index.fields));
  }
  const table = quoteName(definition.name);
  const columnNames = Object.keys(definition.columns);
  const stored = { name: definition.name, search: storedFields };
  const whereKey = definition.key.map((part) => `${quoteName(part)} = ?`).join(' AND ');
  const columns = [...[...definition.key, ...columnNames].map(quoteName), recordVersion].join(', ');
  const selected = { columns, whole: `${columns}, ${recordBody}` };
  const select = (part: RecordPart): string =>
    `SELECT ${selected[part]} FROM ${table} WHERE ${whereKey}`;
  return {
    definition,
    table,
    columnNames,
    selected,
    whereKey,
    insert: insertSql(definition),
    findRow: `SELECT ${recordId}, ${recordVersion}, ${recordWords} FROM ${table} WHERE ${whereKey}`,
    deleteRow: `DELETE FROM ${table} WHERE ${recordId} = ?`,
    deleteByKey: `DELETE FROM ${table} WHERE ${whereKey}`,
    wait: waitSql(stored, `VALUES (?, '', ${storedFields.map(() => `''`).join(', ')})`),
    addWords: {
      waiting: addWordsSql(stored, 'waiting'),
      fullText: addWordsSql(stored, 'fullText'),
    },
    selectByKey: { columns: select('columns'), whole: select('whole') },
    selectById: `SELECT ${columns} FROM ${table} WHERE ${recordId} = ?`,
    selectWaiting: selectWaitingSql(definition),
    wordsOf,
    searchFields: storedFields.map(({ name }) => ({
      name,
      weight: definition.search.find((field) => field.name === name)?.weight ?? 0,
    })),
    index(name) {
      const found = indexes.get(name);
      if (found !== undefined) return found;
      throw new CtxError('CTX_INVALID_INPUT', `${definition.name} has no index of that name`);
    },
  };
}
