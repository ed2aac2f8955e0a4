import type { ItemSummary } from '@ctx/core';
import { rankOf, type Tier, tierOf, touchedAtOf } from '@ctx/core';
import { asRanked, asTouched, type ChangeContext } from '../agent-clock.ts';

/** What may be done to one item beside saving and deleting it. */
export type ItemAction = 'touch' | 'pin' | 'unpin' | 'archive' | 'unarchive' | 'finish' | 'reopen';

/** What a call did to an item. */
export interface ItemChange {
  /** As it is now. */
  readonly item: ItemSummary;
  readonly tier: Tier;
  /** The tier at the same moment, had the call not been. */
  readonly tierBefore: Tier;
  /** False where it was so already, and nothing was written. */
  readonly changed: boolean;
}

/** The item with the moments that its rank is made of: what was not touched keeps those that it had. */
function inTimeOfRank<T extends ItemSummary>(
  item: T,
  before: ItemSummary | undefined,
  context: ChangeContext,
): Pick<ItemSummary, 'createdAt' | 'lastAccessedAt'> & T {
  if (before === undefined || touchedAtOf(before) !== touchedAtOf(item))
    return asTouched(item, context);
  const { createdAt, lastAccessedAt } = asRanked(before, context);
  return { ...item, createdAt, lastAccessedAt };
}

/** Ranks a changed item anew, and notes since when it has its place. */
export function ranked<T extends ItemSummary>(
  item: T,
  before: ItemSummary | undefined,
  context: ChangeContext,
): T {
  const { now, policy } = context;
  const rank = rankOf(inTimeOfRank(item, before, context), policy);
  const isSamePlace = rank === before?.rank && item.archived === before.archived;
  return { ...item, rank, rankedAt: isSamePlace ? before.rankedAt : now };
}

function without(item: ItemSummary): ItemSummary {
  const { finishedAt: _finished, ...rest } = item;
  return rest;
}

const actions: Readonly<Record<ItemAction, (item: ItemSummary, now: number) => ItemSummary>> = {
  touch: (item, now) => ({
    ...item,
    accessCount: item.accessCount + 1,
    lastAccessedAt: Math.max(now, item.lastAccessedAt),
  }),
  pin: (item) => ({ ...item, pinned: true }),
  unpin: (item) => ({ ...item, pinned: false }),
  archive: (item) => ({ ...item, archived: true }),
  unarchive: (item) => ({ ...item, archived: false }),
  finish: (item, now) => (item.finishedAt === undefined ? { ...item, finishedAt: now } : item),
  reopen: without,
};

/**
 * Decides what an action makes of an item.
 * Pure. What changes nothing gives the item as it is, its rank included, also where another policy gave it that rank.
 */
export function planChange(
  before: ItemSummary,
  action: ItemAction,
  context: ChangeContext,
): ItemSummary {
  const after = actions[action](before, context.now);
  return isSameState(before, after) ? before : ranked(after, before, context);
}

function isSameState(before: ItemSummary, after: ItemSummary): boolean {
  return (
    before.accessCount === after.accessCount &&
    before.pinned === after.pinned &&
    before.archived === after.archived &&
    before.finishedAt === after.finishedAt
  );
}

/** The receipt of a change. */
export function changeOf(
  before: ItemSummary,
  item: ItemSummary,
  { agentNow, policy }: ChangeContext,
): ItemChange {
  return {
    item,
    tier: tierOf(item.rank, agentNow, policy),
    tierBefore: tierOf(before.rank, agentNow, policy),
    changed: item !== before,
  };
}
