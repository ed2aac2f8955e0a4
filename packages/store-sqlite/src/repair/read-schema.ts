import type { CollectionDefinition } from '@ctx/store/backend';
import { planDefinitions } from '@ctx/store/sql';
import { decodeBody } from '../read/record-body.ts';
import { tableSql } from '../schema/create-tables.ts';
import { indexName, metaTable } from '../schema/names.ts';
import { pagesOf, rowsOf, type TreeRow } from './btree.ts';
import type { PageFile } from './page-file.ts';

/** A table as a damaged file holds it. */
export interface LostTable {
  readonly definition: CollectionDefinition;
  /** Names of the values of a row, in their order. */
  readonly fields: readonly string[];
  /** The first page of its tree, and of that of its keys; 0 where the file does not say. */
  readonly root: number;
  readonly keyRoot: number;
}

interface SchemaEntry {
  readonly name: string;
  readonly root: number;
  readonly sql: string;
}

/** The rows of a tree as far as they can be reached. */
export function* treeRows(
  file: PageFile,
  root: number,
  seen: Set<number> = new Set(),
): Generator<TreeRow> {
  for (const page of pagesOf(file, root, seen)) {
    if ('broken' in page) continue;
    for (const row of rowsOf(file, page)) if ('values' in row) yield row;
  }
}

/** What the first page says of tables and indexes. */
export function schemaOf(file: PageFile): SchemaEntry[] {
  const entries: SchemaEntry[] = [];
  for (const { values } of treeRows(file, 1)) {
    const [, name, , root, sql] = values;
    if (typeof name !== 'string' || typeof root !== 'number') continue;
    entries.push({ name, root, sql: typeof sql === 'string' ? sql : '' });
  }
  return entries;
}

function definitionIn([name, value]: TreeRow['values']): CollectionDefinition | undefined {
  if (typeof name !== 'string' || !name.startsWith('collection:')) return undefined;
  try {
    const text = decodeBody({ collection: metaTable, key: [name], version: 0 }, value);
    // Written by ctx only, and checked by what follows.
    const definition = JSON.parse(text) as CollectionDefinition;
    return planDefinitions(new Map(), [definition]).merged[0];
  } catch {
    return undefined;
  }
}

/** The names of a table's values by the SQL that made it. A column that was added later stands at its end. */
function fieldsOf(sql: string): string[] {
  return sql.split(/[(,]/).flatMap((part) => {
    const column = /^(?:"((?:[^"]|"")*)"|(\w+)) (?:TEXT|INTEGER|REAL|BLOB)/.exec(part.trim());
    return column === null ? [] : [column[1]?.replaceAll('""', '"') ?? column[2] ?? ''];
  });
}

/**
 * Finds the tables of a damaged file: by what it says itself, and where that cannot be read by `known`.
 */
export function lostTables(
  file: PageFile,
  known: readonly CollectionDefinition[],
): readonly LostTable[] {
  const entries = new Map(schemaOf(file).map((entry) => [entry.name, entry]));
  const definitions = new Map(known.map((one) => [one.name, one]));
  for (const { values } of treeRows(file, entries.get(metaTable)?.root ?? 0)) {
    const found = definitionIn(values);
    if (found !== undefined) definitions.set(found.name, found);
  }
  return [...definitions.values()].map((definition) => {
    const entry = entries.get(definition.name);
    return {
      definition,
      fields: fieldsOf(entry?.sql ?? tableSql(definition)[0] ?? ''),
      root: entry?.root ?? 0,
      keyRoot: entries.get(indexName(definition.name, 'key'))?.root ?? 0,
    };
  });
}
