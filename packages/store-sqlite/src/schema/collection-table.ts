import { CtxError } from '@ctx/core';
import type { CollectionDefinition, IndexDefinition, RecordPart } from '@ctx/store/backend';
import { addWordsSql, orderFields } from './create-tables.ts';
import { indexName, quoteName, recordBody, recordId, recordVersion, recordWords } from './names.ts';
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
  /** Whether the table has no column that only another version of ctx knows. */
  readonly readsAllColumns: boolean;
  /** What to select for a record: key, columns, version and, for the whole of it, the body. */
  readonly selected: Readonly<Record<RecordPart, string>>;
  /** Condition on the values of a whole key. */
  readonly whereKey: string;
  /** Selects the record of a key. */
  readonly selectByKey: Readonly<Record<RecordPart, string>>;
  /** Selects the whole record of the row of an id. */
  readonly selectById: string;
  /** Inserts key, columns, version, whether there are words, and body, unless the key is taken. */
  readonly insert: string;
  /** Finds the row of a key: its id, its version, whether it has words. */
  readonly findRow: string;
  /** Deletes the row of an id, or that of a key. */
  readonly deleteRow: string;
  readonly deleteByKey: string;
  /** Adds the words of a row to the full-text table. */
  readonly addWords: string;
  /** In the order of the full-text table's columns; weight 0 for fields that this program does not know. */
  readonly searchFields: readonly CollectionDefinition['search'][number][];
  /** Whether the file notes records whose words are not in the full-text table yet. */
  readonly mayWait: boolean;
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

/** What a table needs beside the definition. */
export interface CollectionTableOptions {
  /** The fields of the full-text table. Default: those of the definition. */
  readonly storedFields?: readonly CollectionDefinition['search'][number][];
  /** The columns that the file has. Default: those of the definition. */
  readonly storedColumns?: readonly string[];
  /** Default false. */
  readonly mayWait?: boolean;
}

/** Works out once what all queries of a collection need. */
export function collectionTable(
  definition: CollectionDefinition,
  {
    storedFields = definition.search,
    storedColumns = [],
    mayWait = false,
  }: CollectionTableOptions = {},
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
    readsAllColumns: storedColumns.every((name) => Object.hasOwn(definition.columns, name)),
    selected,
    whereKey,
    insert: insertSql(definition),
    findRow: `SELECT ${recordId}, ${recordVersion}, ${recordWords} FROM ${table} WHERE ${whereKey}`,
    deleteRow: `DELETE FROM ${table} WHERE ${recordId} = ?`,
    deleteByKey: `DELETE FROM ${table} WHERE ${whereKey}`,
    addWords: addWordsSql(stored),
    selectByKey: { columns: select('columns'), whole: select('whole') },
    selectById: `SELECT ${selected.whole} FROM ${table} WHERE ${recordId} = ?`,
    mayWait,
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
