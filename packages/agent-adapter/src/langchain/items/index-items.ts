import { isCtxError } from '@ctx/core';
import { encodeValue } from '@ctx/core/encoding';
import { graphItemWords } from '@ctx/store';
import type { StoredRecord, WriteOperation } from '@ctx/store/backend';
import { type ItemsHost, readGraphItem, searchedPart } from './item-records.ts';

/** Items that are taken in at once. */
const batchSize = 200;

/** The record with its words. One that cannot be read is only marked: reading it tells. */
function taken({ items, fields }: ItemsHost, record: StoredRecord): WriteOperation {
  const { key, version: expectVersion } = record;
  try {
    const { body: before } = readGraphItem(record);
    const body = JSON.stringify(encodeValue({ ...before, ...searchedPart({ fields }, before) }));
    const columns = { ...record.columns, searched: 1 };
    return items.put({ key, columns, body, words: graphItemWords.of({ body }), expectVersion });
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_CORRUPT')) throw error;
    return items.patch({ key, columns: { searched: 1 }, expectVersion });
  }
}

/**
 * Lets a search find the items of stores from before they were searched. One that is changed meanwhile stays as it is then.
 * Looks into an index, and reads those items once.
 */
export async function indexItems(host: ItemsHost): Promise<void> {
  const { items, store } = host;
  const waiting = { index: 'by_searched', equal: [null], limit: batchSize } as const;
  for (;;) {
    const operations: WriteOperation[] = [];
    for await (const record of items.scan(waiting)) operations.push(taken(host, record));
    if (operations.length === 0) return;
    try {
      await store.records.write(operations);
    } catch (error) {
      // Somebody else was faster, and has taken in some of them: what is left is looked for again.
      if (!isCtxError(error, 'CTX_STORE_CONFLICT')) throw error;
    }
  }
}
