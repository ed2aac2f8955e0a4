import type { RecordKey, RecordPart, StoredRecord } from '@ctx/core';
import type { CollectionTable } from './collection-table.ts';
import { quoteName } from './names.ts';
import { recordOfRow } from './read-record.ts';
import type { SqlSession } from './sql-driver.ts';

/** Keys as lists, one for each part: how they are sent. */
export function keyLists(table: CollectionTable, keys: readonly RecordKey[]): string[][] {
  return table.keyColumns.map((_, part) => keys.map((key) => key[part] ?? ''));
}

/** A table of keys, from lists whose places begin at `first`. */
export function keysTable({ keyColumns }: CollectionTable, first = 1): string {
  const places = keyColumns.map((_, part) => `$${String(first + part)}::text[]`).join(', ');
  const names = keyColumns.map((_, part) => `k${String(part)}`).join(', ');
  return `unnest(${places}) AS wanted(${names})`;
}

/** The row has the key that is wanted. */
export function isWanted({ keyColumns, table }: CollectionTable): string {
  return keyColumns
    .map(({ name }, part) => `${table}.${quoteName(name)} = wanted.k${String(part)}`)
    .join(' AND ');
}

/** So many keys go into one statement. */
const batchKeys = 500;

async function readBatch(
  session: SqlSession,
  table: CollectionTable,
  { keys, part }: { readonly keys: readonly RecordKey[]; readonly part: RecordPart },
): Promise<StoredRecord[]> {
  const sql = `SELECT ${table.selected[part]} FROM ${table.table} JOIN ${keysTable(table)} ON ${isWanted(table)}`;
  const rows = await session.query(sql, keyLists(table, keys));
  return rows.map((row) => recordOfRow(table, row, part));
}

/** Reads by key, in the order asked; `undefined` where there is none; a copy each where a key is asked for twice. */
export async function getRecords(
  session: SqlSession,
  table: CollectionTable,
  { keys, part }: { readonly keys: readonly RecordKey[]; readonly part: RecordPart },
): Promise<(StoredRecord | undefined)[]> {
  const found = new Map<string, StoredRecord>();
  const unique = [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
  for (let at = 0; at < unique.length; at += batchKeys) {
    const batch = unique.slice(at, at + batchKeys);
    for (const record of await readBatch(session, table, { keys: batch, part })) {
      found.set(JSON.stringify(record.key), record);
    }
  }
  return keys.map((key) => {
    const record = found.get(JSON.stringify(key));
    return record && { ...record, key: [...record.key], columns: { ...record.columns } };
  });
}
