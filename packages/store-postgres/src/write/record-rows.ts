import type { ColumnValue, RecordKey } from '@ctx/store/backend';
import { quoteName } from '@ctx/store/sql';
import type { SqlValue } from '../driver/sql-driver.ts';
import { encodeBody } from '../read/record-body.ts';
import { searchTerms } from '../read/search-terms.ts';
import type { CollectionTable, TableColumn } from '../schema/collection-table.ts';
import {
  recordBody,
  recordPacked,
  recordTerms,
  recordVersion,
  recordWords,
} from '../schema/names.ts';
import type { CompletePut } from './plan-write.ts';

/** A record as it is written. */
export interface WholeRow {
  readonly key: RecordKey;
  readonly put: CompletePut;
}

/** A column of a list of rows: what it is called, how a sent value becomes its value, and the values. */
export interface RowList {
  readonly column: string;
  readonly type: string;
  /** SQL that makes the stored value of the sent one. */
  readonly stored: (sent: string) => string;
  readonly values: (string | number | null)[];
}

function plainList({ name, type }: TableColumn, values: readonly ColumnValue[]): RowList {
  return { column: quoteName(name), type, stored: (sent) => sent, values: [...values] };
}

function textList(
  column: string,
  values: (string | null)[],
  stored = (sent: string) => sent,
): RowList {
  return { column, type: 'text', stored, values };
}

/** The keys of rows of one tenant, a list for each part but the tenant. */
export function keyColumnLists(table: CollectionTable, keys: readonly RecordKey[]): RowList[] {
  return table.keyColumns.slice(1).map((column, at) =>
    plainList(
      column,
      keys.map((key) => key[at + 1] ?? ''),
    ),
  );
}

/** The versions of rows. */
export function versionList(versions: readonly number[]): RowList {
  return plainList({ name: recordVersion, type: 'bigint' }, versions);
}

/** Some columns of rows. */
export function columnLists(
  columns: readonly TableColumn[],
  rows: readonly Readonly<Record<string, ColumnValue>>[],
): RowList[] {
  return columns.map((column) =>
    plainList(
      column,
      rows.map((row) => row[column.name] ?? null),
    ),
  );
}

function searchLists({ definition }: CollectionTable, rows: readonly WholeRow[]): RowList[] {
  if (definition.search.length === 0) return [];
  const terms = rows.map(({ key, put }) => searchTerms(definition, key, put.words));
  const asArray = (sent: string): string => `string_to_array(${sent}, ' ')`;
  const asJson = (sent: string): string => `${sent}::jsonb`;
  return [
    textList(
      recordWords,
      terms.map((one) => one?.words ?? null),
      asArray,
    ),
    textList(
      recordTerms,
      terms.map((one) => one?.counts ?? null),
      asJson,
    ),
  ];
}

/** Everything of rows but their keys. */
export function contentLists(table: CollectionTable, rows: readonly WholeRow[]): RowList[] {
  const bodies = rows.map(({ put }) => encodeBody(put.body));
  return [
    ...columnLists(
      table.columns,
      rows.map(({ put }) => put.columns),
    ),
    versionList(rows.map(({ put }) => put.version)),
    ...searchLists(table, rows),
    textList(
      recordBody,
      bodies.map(({ text }) => text),
    ),
    textList(
      recordPacked,
      bodies.map(({ packed }) => packed),
      (sent) => `decode(${sent}, 'base64')`,
    ),
  ];
}

/** The lists as one table `given(v0, v1, …)`, whose values begin at `$2`: before them stands the tenant. */
export function givenTable(lists: readonly RowList[]): string {
  const places = lists.map(({ type }, at) => `$${String(at + 2)}::${type}[]`).join(', ');
  const names = lists.map((_, at) => `v${String(at)}`).join(', ');
  return `unnest(${places}) AS given(${names})`;
}

/** The tenant, then the values of the lists, in the order of `givenTable`. */
export function givenValues(tenant: string, lists: readonly RowList[]): SqlValue[] {
  return [tenant, ...lists.map(({ values }) => values)];
}

/** What is stored of the list at a place. */
export function storedOf(lists: readonly RowList[], at: number): string {
  return lists[at]?.stored(`given.v${String(at)}`) ?? 'NULL';
}
