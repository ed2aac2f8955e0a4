import type { ItemSummary } from '@ctx/core';
import { CtxError, type ImportancePolicy, type Tier, tierBorder, tierOf } from '@ctx/core';
import type { FieldRange, ScanPosition } from '../../backend/index-order.ts';
import type { StoredRecord } from '../../backend/store-backend.ts';
import { decodeCursor, encodeCursor } from '../../records/cursor.ts';
import { checkLimit, type PageRequest } from '../../records/pages.ts';
import type { ChangeContext } from '../agent-clock.ts';
import { itemSummaryOf } from '../item-record.ts';
import { contextNow, type ItemStore } from '../item-store.ts';
import { scanInSteps } from '../read/scan-in-steps.ts';
import { checkName } from '../save/draft-item.ts';

/** An item that stands in a lower tier than at an earlier moment, though it was not changed. */
export interface TierChange {
  readonly item: ItemSummary;
  readonly from: Tier;
  readonly to: Tier;
}

/** A page of changes. */
export interface TierChanges {
  /** Most important first. */
  readonly entries: readonly TierChange[];
  /** The later moment, ms since the epoch: give it as `until` with `next`, and as `since` the next time. */
  readonly until: number;
  /** Give it as `after` to read on; missing at the end. */
  readonly next?: string;
}

/** How much is wanted. */
export interface TierChangesRequest extends PageRequest {
  /** The later moment, ms since the epoch. Default: now. */
  readonly until?: number;
}

/**
 * The ranks whose tier is another at `now` than at `since`, both in the agent's own time: two ranges that do not meet, the higher one first. Both borders rise with
 * time, so that what they pass has fallen.
 */
export function fallenRanges(
  since: number,
  { now, policy }: { readonly now: number; readonly policy: ImportancePolicy },
): readonly [FieldRange, FieldRange] {
  const hotBefore = tierBorder('hot', since, policy);
  const hotNow = tierBorder('hot', now, policy);
  const warmBefore = tierBorder('warm', since, policy);
  const warmNow = tierBorder('warm', now, policy);
  return [
    { from: Math.max(hotBefore, warmNow), to: hotNow, toExclusive: true },
    { from: warmBefore, to: warmNow, toExclusive: true },
  ];
}

interface Wanted {
  readonly limit: number;
  readonly agentId: string;
  readonly since: number;
  readonly context: ChangeContext;
  readonly after: ScanPosition | undefined;
}

/** Both ranges, one after the other. What got its rank later is left out: its tier at `since` was that of another rank. */
async function* fallen(
  { collection }: ItemStore,
  { agentId, since, context, after, limit }: Wanted,
): AsyncGenerator<StoredRecord> {
  const place = after === undefined ? {} : { after };
  const { timeAt, now, policy } = context;
  const passed = fallenRanges(timeAt(since), { now: timeAt(now), policy });
  for (const range of passed) {
    const query = { index: 'by_rank', equal: [agentId, 0], range, descending: true, ...place };
    const columns = { ...query, part: 'columns' as const };
    for await (const records of scanInSteps(collection, columns, () => limit + 1)) {
      yield* records.filter((record) => itemSummaryOf(record).rankedAt <= since);
    }
  }
}

function changeIn(
  record: StoredRecord,
  since: number,
  { now, timeAt, policy }: ChangeContext,
): TierChange {
  const item = itemSummaryOf(record);
  return {
    item,
    from: tierOf(item.rank, timeAt(since), policy),
    to: tierOf(item.rank, timeAt(now), policy),
  };
}

/** Reads a page of what fell. Reads the items that fell, and those ranked since within the same two ranges. */
export async function tierChangesSince(
  store: ItemStore,
  [agentId, since]: readonly [string, number],
  { limit: given = 100, after: cursor, until }: TierChangesRequest,
): Promise<TierChanges> {
  checkName(agentId, 'agentId');
  if (!Number.isFinite(since)) throw new CtxError('CTX_INVALID_INPUT', 'since must be a moment');
  const limit = checkLimit(given);
  const present = await contextNow(store, agentId);
  const context = { ...present, now: until ?? present.now };
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  const entries: TierChange[] = [];
  let last: StoredRecord | undefined;
  for await (const record of fallen(store, { agentId, since, context, after, limit })) {
    if (entries.length === limit && last !== undefined) {
      const next = encodeCursor(store.collection.positionOf(last, 'by_rank'));
      return { entries, until: context.now, next };
    }
    entries.push(changeIn(record, since, context));
    last = record;
  }
  return { entries, until: context.now };
}
