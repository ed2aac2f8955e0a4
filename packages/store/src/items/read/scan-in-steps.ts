import { collectScan } from '../../backend/indexes/map-scan.ts';
import type { StoredRecord } from '../../backend/store-backend.ts';
import type { CollectionAccess, IndexScan } from '../../records/collection-access.ts';

/** Most records that one step reads. */
const mostInStep = 500;

/**
 * The records of a scan, in steps of as many as `next` says, so that a backend reads no more than will be looked at.
 * `next` is asked before each step; no step is empty. What is written meanwhile may or may not be seen.
 */
export async function* scanInSteps(
  collection: CollectionAccess,
  query: Omit<IndexScan, 'limit'>,
  next: () => number,
): AsyncGenerator<readonly StoredRecord[]> {
  let place = query.after;
  for (;;) {
    const limit = Math.min(mostInStep, Math.max(1, Math.ceil(next())));
    const after = place === undefined ? {} : { after: place };
    const records = await collectScan(collection.scan({ ...query, ...after, limit }));
    const last = records.at(-1);
    if (last === undefined) return;
    yield records;
    if (records.length < limit) return;
    place = collection.positionOf(last, query.index);
  }
}
