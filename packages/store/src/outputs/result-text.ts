import { decodeValue, outputText } from '@ctx/core/encoding';
import type { StoredRecord } from '../backend/store-backend.ts';
import type { CollectionAccess } from '../records/collection-access.ts';
import { readBody } from './output-record.ts';

/** The text of a result, also where another output holds it; '' where that one is gone. */
export async function resultText(
  collection: CollectionAccess,
  record: StoredRecord,
): Promise<string> {
  const { content_of: owner } = record.columns;
  const holder =
    typeof owner === 'string' ? await collection.get([record.key[0] ?? '', owner]) : record;
  return holder === undefined ? '' : outputText(decodeValue(readBody(holder).result));
}
