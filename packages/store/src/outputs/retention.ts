import { CtxError } from '@ctx/core';
import type { RecordKey } from '../backend/store-backend.ts';
import type { CollectionAccess } from '../records/collection-access.ts';

/** What may stay. Pinned outputs always do. */
export interface RetentionPolicy {
  /** Outputs older than this leave, ms. Left out: no limit. */
  readonly maxAgeMs?: number;
  /** The oldest leave until all results together have at most so many bytes. Left out: no limit. */
  readonly maxTotalBytes?: number;
  /** Outputs that one plan lets go, at most; the others are left to the next plan. Default: any number. */
  readonly atOnce?: number;
}

/** What leaves, decided but not done. */
export interface RetentionPlan {
  readonly leaving: readonly RecordKey[];
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** Pinned outputs that age or size would have sent away. */
  readonly keptPinned: number;
}

/** What was done; `bytesAfter` is measured afterwards. */
export interface RetentionReceipt extends Omit<RetentionPlan, 'leaving'> {
  readonly deleted: number;
}

function check(name: string, value: number | undefined): void {
  if (value !== undefined && !(value >= 0)) {
    throw new CtxError('CTX_INVALID_OPTION', `${name} must be 0 or more`);
  }
}

/** Bytes of all results, shared ones counted for each output. */
export async function bytesOf(collection: CollectionAccess): Promise<number> {
  const [total] = await collection.tally({ index: 'by_age', sums: ['bytes'] });
  return total?.sums[0] ?? 0;
}

/** Decides which outputs leave, oldest first. Reads the columns of all that may leave, never a body. */
export async function planRetention(
  collection: CollectionAccess,
  policy: RetentionPolicy,
  now: number,
): Promise<RetentionPlan> {
  check('maxAgeMs', policy.maxAgeMs);
  check('maxTotalBytes', policy.maxTotalBytes);
  const atOnce = policy.atOnce ?? Number.POSITIVE_INFINITY;
  const bytesBefore = await bytesOf(collection);
  const bornBefore = now - (policy.maxAgeMs ?? Number.POSITIVE_INFINITY);
  const maxTotalBytes = policy.maxTotalBytes ?? Number.POSITIVE_INFINITY;
  const leaving: RecordKey[] = [];
  let bytesAfter = bytesBefore;
  let keptPinned = 0;
  for await (const record of collection.scan({ index: 'by_age', part: 'columns' })) {
    const tooOld = Number(record.columns['created_at']) < bornBefore;
    if (leaving.length >= atOnce || (!tooOld && bytesAfter <= maxTotalBytes)) break;
    if (record.columns['pinned'] !== 0) {
      keptPinned += 1;
      continue;
    }
    leaving.push(record.key);
    bytesAfter -= Number(record.columns['bytes']);
  }
  return { leaving, bytesBefore, bytesAfter, keptPinned };
}
