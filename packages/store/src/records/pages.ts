import { CtxError } from '@ctx/core';
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
}

/** How much of a list is wanted. */
export interface PageRequest {
  /** Default 100, at most 1,000. */
  readonly limit?: number;
  /** The `next` of the page before. */
  readonly after?: string;
}

/** Throws: `CTX_INVALID_INPUT` unless limit is a whole number in 1…1,000. */
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

/** Reads one page of an index. The cursor leaves out what the query fixes, so that it stays short. Cost: the records of the page. */
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
  const records = await collectScan(collection.scan({ limit: limit + 1, ...query, ...after }));
  const entries = records.slice(0, limit).map(decode);
  const last = records[limit - 1];
  if (records.length <= limit || last === undefined) return { entries };
  const { values, key } = collection.positionOf(last, query.index);
  return { entries, next: encodeCursor({ values: values.slice(equal.length), key }) };
}
