import type { RecordKey, ScanQuery, StoredRecord } from '@ctx/store/backend';
import { quoteName } from '@ctx/store/sql';
import type { SqlSession, SqlValue } from '../driver/sql-driver.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { keysByTenant, type TenantKeys } from './by-tenant.ts';
import { recordOfList } from './read-record.ts';

/** What {@link keysTable} takes: the tenant of all keys, then a list for each other part. */
export function keyValues(
  { keyColumns }: CollectionTable,
  { tenant, keys }: TenantKeys,
): SqlValue[] {
  const lists = keyColumns.slice(1).map((_, at) => keys.map((key) => key[at + 1] ?? ''));
  return [tenant, ...lists];
}

/** A table of the keys of one tenant, without the tenant, which is `$1`. */
export function keysTable({ keyColumns }: CollectionTable): string {
  const others = keyColumns.slice(1);
  // The tenant alone is the key: there is one such record at most.
  if (others.length === 0) return '(SELECT 1) AS wanted';
  const places = others.map((_, at) => `$${String(at + 2)}::text[]`).join(', ');
  const names = others.map((_, at) => `k${String(at + 1)}`).join(', ');
  return `unnest(${places}) AS wanted(${names})`;
}

/** The row is of the tenant `$1` and has a key that is wanted. */
export function isWanted({ keyColumns, table }: CollectionTable): string {
  return keyColumns
    .map(({ name }, part) => {
      const wanted = part === 0 ? '$1' : `wanted.k${String(part)}`;
      return `${table}.${quoteName(name)} = ${wanted}`;
    })
    .join(' AND ');
}

/** The row has the key whose parts are `$1`, `$2`, … The server plans this in half the time of a join. */
export function hasKey({ keyColumns }: CollectionTable): string {
  return keyColumns
    .map(({ name }, part) => `${quoteName(name)} = $${String(part + 1)}`)
    .join(' AND ');
}

/** Looks for each wanted key by itself: a join reads all of the tenant's rows while the server knows no sizes of a new table. */
function eachOf(table: CollectionTable, select: string): string {
  const one = `${select} WHERE ${isWanted(table)} LIMIT 1`;
  return `SELECT found.* FROM ${keysTable(table)} CROSS JOIN LATERAL (${one}) AS found`;
}

/** So many keys go into one statement. */
const batchKeys = 500;

interface Reading {
  readonly keys: readonly RecordKey[];
  readonly part: NonNullable<ScanQuery['part']>;
}

async function readBatch(
  session: SqlSession,
  table: CollectionTable,
  { keys, part }: { readonly keys: TenantKeys; readonly part: NonNullable<ScanQuery['part']> },
): Promise<StoredRecord[]> {
  const selection = table.selection(part);
  const select = `SELECT ${selection.sql} FROM ${table.table}`;
  const [only, ...others] = keys.keys;
  const isOne = only !== undefined && others.length === 0;
  const sql = isOne ? `${select} WHERE ${hasKey(table)}` : eachOf(table, select);
  const values = isOne ? only : keyValues(table, keys);
  const rows = await session.lists(sql, values, { isRepeated: true });
  return rows.map((values) => recordOfList(table, selection, values));
}

/** Reads by key, in the order asked; `undefined` where there is none; a copy each where a key is asked for twice. */
export async function getRecords(
  session: SqlSession,
  table: CollectionTable,
  { keys, part }: Reading,
): Promise<(StoredRecord | undefined)[]> {
  const found = new Map<string, StoredRecord>();
  const unique = [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
  for (const { tenant, keys: own } of keysByTenant(unique)) {
    for (let at = 0; at < own.length; at += batchKeys) {
      const batch = { tenant, keys: own.slice(at, at + batchKeys) };
      for (const record of await readBatch(session, table, { keys: batch, part })) {
        found.set(JSON.stringify(record.key), record);
      }
    }
  }
  return keys.map((key) => {
    const record = found.get(JSON.stringify(key));
    return record && { ...record, key: [...record.key], columns: { ...record.columns } };
  });
}
