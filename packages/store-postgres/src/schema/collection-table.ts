import type { CollectionDefinition, ScanQuery } from '@ctx/store/backend';
import { quoteName, type SqlIndex, sqlIndexes } from '@ctx/store/sql';
import {
  indexName,
  recordBody,
  recordPacked,
  recordTerms,
  recordVersion,
  recordWords,
} from './names.ts';

/** One column of a table, with its type. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
}

/** What is selected of a record: its key, these columns, its version and, for the whole of it, its body. */
export interface RecordSelection {
  readonly sql: string;
  readonly columns: readonly TableColumn[];
  readonly part: NonNullable<ScanQuery['part']>;
}

/** A collection as queries use it. */
export interface CollectionTable {
  readonly definition: CollectionDefinition;
  /** Schema and name, quoted. */
  readonly table: string;
  readonly keyColumns: readonly TableColumn[];
  readonly columns: readonly TableColumn[];
  /** What to select for a record; of these columns alone, where they are named. */
  selection(part: NonNullable<ScanQuery['part']>, names?: readonly string[]): RecordSelection;
  readonly index: (name: string) => SqlIndex;
}

const sqlTypes: Readonly<Record<CollectionDefinition['columns'][string]['type'], string>> = {
  text: 'text',
  integer: 'bigint',
  real: 'double precision',
};

/** Text is ordered by code point, in whatever language the database is. */
const byCodePoint = 'COLLATE "C"';

/** Works out once what all queries of a collection need. `schema`: quoted. */
export function collectionTable(definition: CollectionDefinition, schema: string): CollectionTable {
  const keyColumns = definition.key.map((name) => ({ name, type: sqlTypes.text }));
  const columns = Object.entries(definition.columns).map(([name, { type }]) => ({
    name,
    type: sqlTypes[type],
  }));
  const table = `${schema}.${quoteName(definition.name)}`;
  const select = (
    part: NonNullable<ScanQuery['part']>,
    chosen: readonly TableColumn[],
  ): RecordSelection => {
    const names = [...keyColumns, ...chosen].map(({ name }) => quoteName(name));
    const body = part === 'whole' ? [recordBody, recordPacked] : [];
    const sql = [...names, recordVersion, ...body].map((name) => `${table}.${name}`).join(', ');
    return { sql, columns: chosen, part };
  };
  const complete = { columns: select('columns', columns), whole: select('whole', columns) };
  return {
    ...{ definition, table, keyColumns, columns },
    selection(part, names) {
      if (names === undefined) return complete[part];
      return select(
        part,
        columns.filter(({ name }) => names.includes(name)),
      );
    },
    index: sqlIndexes(definition, () => ({})),
  };
}

function columnSql({ name, type }: TableColumn): string {
  return `${quoteName(name)} ${type}${type === 'text' ? ` ${byCodePoint}` : ''}`;
}

/**
 * The table of a collection. Its primary key begins with the tenant, so that it can be spread over machines by it. Columns are not
 * `NOT NULL`: core checks that, and a column that a later version adds is null in older records.
 */
export function tableSql({ table, definition, keyColumns, columns }: CollectionTable): string[] {
  const search =
    definition.search.length === 0 ? [] : [`${recordWords} text[]`, `${recordTerms} jsonb`];
  const parts = [
    ...keyColumns.map((column) => `${columnSql(column)} NOT NULL`),
    ...columns.map(columnSql),
    `${recordVersion} bigint NOT NULL`,
    ...search,
    `${recordBody} text`,
    `${recordPacked} bytea`,
    `PRIMARY KEY (${keyColumns.map(({ name }) => quoteName(name)).join(', ')})`,
  ];
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (${parts.join(', ')})`,
    ...searchSql({ table, definition }),
  ];
}

/** What a table needs to be searched. */
export function searchSql({
  table,
  definition,
}: Pick<CollectionTable, 'table' | 'definition'>): string[] {
  if (definition.search.length === 0) return [];
  const name = quoteName(indexName(definition.name, '_words'));
  return [
    `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${recordWords} text[]`,
    `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${recordTerms} jsonb`,
    `CREATE INDEX IF NOT EXISTS ${name} ON ${table} USING gin (${recordWords})`,
  ];
}

/** Adds one column to a table that exists. */
export function addColumnSql({ table }: CollectionTable, column: TableColumn): string {
  return `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${columnSql(column)}`;
}

/** One declared index. Records that no query of it asks for are left out. */
export function indexSql(
  { table, definition, index: indexOf }: CollectionTable,
  index: CollectionDefinition['indexes'][number],
): string {
  const name = quoteName(indexName(definition.name, index.name));
  const fields = indexOf(index.name).fields.map((field) => `${quoteName(field)} NULLS FIRST`);
  const { notNull } = index;
  const where = notNull === undefined ? '' : ` WHERE ${quoteName(notNull)} IS NOT NULL`;
  const sums = [...new Set(index.tally?.sums ?? [])].filter((sum) => !index.fields.includes(sum));
  const include = sums.length === 0 ? '' : ` INCLUDE (${sums.map(quoteName).join(', ')})`;
  return `CREATE INDEX IF NOT EXISTS ${name} ON ${table} (${fields.join(', ')})${include}${where}`;
}

/** Takes an index away whose fields are others now. */
export function dropIndexSql(schema: string, collection: string, index: string): string {
  return `DROP INDEX IF EXISTS ${schema}.${quoteName(indexName(collection, index))}`;
}
