import { CtxError, isCtxError } from '@ctx/core';
import { collectScan } from '../backend/indexes/map-scan.ts';
import type { StoredRecord } from '../backend/store-backend.ts';
import type { CollectionAccess, IndexScan } from './collection-access.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';

/** Most that one page may hold. */
export const maxPageSize = 1000;

/** Part of a list, and where it goes on. */
export interface Page<T> {
  readonly entries: readonly T[];
  /** Give it as `after` to read on; missing at the end. */
  readonly next?: string;
  /** What the store says of each record that this page leaves out because it cannot be read; missing where there is none. */
  readonly unreadable?: readonly string[];
}

/** How much of a list is wanted. */
export interface PageRequest {
  /** Default 100, at most 1,000. */
  readonly limit?: number;
  /** The `next` of the page before. */
  readonly after?: string;
}

/** @throws `CTX_INVALID_INPUT` unless limit is a whole number in 1…1,000. */
export function checkLimit(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= maxPageSize) return limit;
  throw new CtxError(
    'CTX_INVALID_INPUT',
    `limit must be a whole number in 1…${String(maxPageSize)}`,
  );
}

/** Which list is read, and what becomes of each record. */
export interface PageQuery<T> extends Omit<IndexScan, 'after' | 'limit'> {
  readonly decode: (record: StoredRecord) => T;
}

/** The first `limit` of the records that a query comes by, without those that cannot be read, and the one after which the page ends. */
interface PageRead {
  readonly records: readonly StoredRecord[];
  readonly last?: StoredRecord;
  readonly unreadable?: readonly string[];
}

async function readWhole(
  collection: CollectionAccess,
  query: IndexScan,
  limit: number,
): Promise<PageRead> {
  const found = await collectScan(collection.scan({ ...query, limit: limit + 1 }));
  const last = found.length > limit ? found[limit - 1] : undefined;
  return { records: found.slice(0, limit), ...(last && { last }) };
}

/** What an error says of each damaged record. */
function damagesIn({ message, cause }: Error): string[] {
  const errors: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [];
  const each = errors.flatMap((one) => (one instanceof Error ? [one.message] : []));
  return each.length === 0 ? [message] : each;
}

/** Reads each record alone. */
async function readEach(
  collection: CollectionAccess,
  query: IndexScan,
  { limit, damage }: { readonly limit: number; readonly damage: Error },
): Promise<PageRead> {
  const known = await readWhole(collection, { ...query, part: 'columns' }, limit);
  if (query.part === 'columns') return { ...known, unreadable: damagesIn(damage) };
  const records: StoredRecord[] = [];
  const unreadable: string[] = [];
  for (const { key } of known.records) {
    try {
      const record = await collection.get(key);
      if (record !== undefined) records.push(record);
    } catch (error) {
      if (!isCtxError(error, 'CTX_STORE_CORRUPT')) throw error;
      unreadable.push(error.message);
    }
  }
  // Of a record that was set aside no columns are left.
  const others = damagesIn(damage).filter((what) => !unreadable.includes(what));
  return { ...known, records, unreadable: [...unreadable, ...others] };
}

async function readReadable(
  collection: CollectionAccess,
  query: IndexScan,
  limit: number,
): Promise<PageRead> {
  try {
    return await readWhole(collection, { ...query, isList: true }, limit);
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_CORRUPT')) throw error;
    return await readEach(collection, query, { limit, damage: error });
  }
}

/**
 * Reads one page of an index. The cursor leaves out what the query fixes, so that it stays short.
 * A damaged record is left out and named in `unreadable`; the rest of the list is given. Reads the records of the page.
 */
export async function readPage<T>(
  collection: CollectionAccess,
  { decode, ...query }: PageQuery<T>,
  request: PageRequest,
): Promise<Page<T>> {
  const limit = checkLimit(request.limit ?? 100);
  const equal = query.equal ?? [];
  const place = request.after === undefined ? undefined : decodeCursor(request.after);
  const after =
    place === undefined ? {} : { after: { ...place, values: [...equal, ...place.values] } };
  const read = await readReadable(collection, { ...query, ...after }, limit);
  const { last, unreadable } = read;
  const entries = read.records.map(decode);
  const page = { entries, ...(unreadable && { unreadable }) };
  if (last === undefined) return page;
  const { values, key } = collection.positionOf(last, query.index);
  return { ...page, next: encodeCursor({ values: values.slice(equal.length), key }) };
}
