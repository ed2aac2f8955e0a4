import { isCtxError } from '@ctx/core';
import type { ScanPosition } from '../backend/index-order.ts';
import { positionOf } from '../backend/index-order.ts';
import type {
  CollectionDefinition,
  ScanQuery,
  StoreBackend,
  StoredRecord,
} from '../backend/store-backend.ts';

/** A record, or what the store says of one that cannot be read. */
export type AroundRead = { readonly record: StoredRecord } | { readonly unreadable: string };

/**
 * Reads what a scan gives, and goes on where it meets a damaged record: what the store says of it stands in its place.
 * Costs as much as the scan, and after damage one read for each record.
 * @throws the codes of the store but for damage of records.
 */
export async function* readAround(
  backend: StoreBackend,
  definition: CollectionDefinition,
  query: Omit<ScanQuery, 'collection' | 'limit' | 'after'>,
): AsyncGenerator<AroundRead, void, undefined> {
  const collection = definition.name;
  let after: ScanPosition | undefined;
  let damage: Error;
  try {
    for await (const record of backend.scan({ ...query, collection })) {
      after = positionOf(definition, query.index, record);
      yield { record };
    }
    return;
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_CORRUPT')) throw error;
    damage = error;
  }
  let isNamed = false;
  const rest = { ...query, collection, part: 'columns', ...(after && { after }) } as const;
  for await (const { key } of backend.scan(rest)) {
    try {
      const [record] = await backend.get(collection, [key]);
      if (record !== undefined) yield { record };
    } catch (error) {
      if (!isCtxError(error, 'CTX_STORE_CORRUPT')) throw error;
      isNamed = true;
      yield { unreadable: error.message };
    }
  }
  // Of a record that was set aside no columns are left.
  if (!isNamed) yield { unreadable: damage.message };
}
