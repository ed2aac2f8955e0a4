import type { CollectionDefinition, ScanQuery } from '@ctx/store/backend';
import { quoteName, type SqlIndex, sqlIndexes } from '@ctx/store/sql';
import { addWordsSql } from './create-tables.ts';
import { indexName, recordBody, recordId, recordVersion, recordWords } from './names.ts';
import { type TallyTable, tallyTableOf } from './tally-table.ts';

/** An index as queries use it. */
export interface TableIndex extends SqlIndex {
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
  readonly selected: Readonly<Record<NonNullable<ScanQuery['part']>, string>>;
  /** Condition on the values of a whole key. */
  readonly whereKey: string;
  /** Selects the id of the row and the record of a key, for lists of values. */
  readonly selectByKey: Readonly<Record<NonNullable<ScanQuery['part']>, string>>;
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

function tableIndexes(definition: CollectionDefinition): (name: string) => TableIndex {
  return sqlIndexes(definition, (name) => {
    const declared = definition.indexes.find((index) => index.name === name);
    const sqlName = quoteName(indexName(definition.name, name));
    return {
      source: `${quoteName(definition.name)} INDEXED BY ${sqlName}`,
      tally: declared && tallyTableOf(definition, declared),
    };
  });
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
  const table = quoteName(definition.name);
  const columnNames = Object.keys(definition.columns);
  const stored = { name: definition.name, search: storedFields };
  const whereKey = definition.key.map((part) => `${quoteName(part)} = ?`).join(' AND ');
  const columns = [...[...definition.key, ...columnNames].map(quoteName), recordVersion].join(', ');
  const selected = { columns, whole: `${columns}, ${recordBody}` };
  const select = (part: NonNullable<ScanQuery['part']>): string =>
    `SELECT ${recordId}, ${selected[part]} FROM ${table} WHERE ${whereKey}`;
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
    index: tableIndexes(definition),
  };
}
