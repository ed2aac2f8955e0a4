import type { Tier } from '@ctx/core';
import { tierBorder } from '@ctx/core';
import type { KnownReads } from '../records/read-cache.ts';
import type { ChangeContext } from './agent-clock.ts';
import { contextNow, type ItemStore } from './item-store.ts';
import { holdsStill, type Standing, standingOf } from './tiers/tier-bounds.ts';

/** Items and tokens of something. */
export interface ItemTally {
  readonly items: number;
  readonly tokens: number;
}

/** Items and tokens of one tier. */
export interface TierTally extends ItemTally {
  readonly tier: Tier;
}

/** How an agent's items are spread at a moment. */
export interface ItemStats extends ItemTally {
  /** ms since the epoch. */
  readonly at: number;
  /** Hot, warm, cold; archived items are in none. */
  readonly tiers: readonly TierTally[];
  readonly archived: ItemTally;
}

const nothing: ItemTally = { items: 0, tokens: 0 };

/** What one holds more than the other. Another writer may have come between. */
function without(whole: ItemTally, part: ItemTally): ItemTally {
  return {
    items: Math.max(0, whole.items - part.items),
    tokens: Math.max(0, whole.tokens - part.tokens),
  };
}

/** Items of an agent that are not archived, down to an importance. */
async function countFrom(
  { collection }: ItemStore,
  agentId: string,
  from: number,
): Promise<ItemTally> {
  const range = { index: 'by_rank', equal: [agentId, 0], range: { from } };
  const [found] = await collection.tally({ ...range, sums: ['tokens'] });
  return { items: found?.count ?? 0, tokens: found?.sums[0] ?? 0 };
}

/** Items of an agent by whether they are archived, 0 or 1. */
async function countArchived(
  { collection }: ItemStore,
  agentId: string,
): Promise<Map<unknown, ItemTally>> {
  const groups = { index: 'by_rank', equal: [agentId], groupBy: ['archived'], sums: ['tokens'] };
  const found = await collection.tally(groups);
  return new Map(
    found.map(({ group, count, sums }) => [group[0], { items: count, tokens: sums[0] ?? 0 }]),
  );
}

/** The counts that make the statistics of an agent. */
interface TierCounts {
  readonly working: ItemTally;
  readonly archived: ItemTally;
  readonly hot: ItemTally;
  /** Hot and warm. */
  readonly nearer: ItemTally;
}

/** Counts that are good until time moves an item from one tier to another. */
export type KnownCounts = TierCounts & Standing;

async function countTiers(
  store: ItemStore,
  agentId: string,
  { agentNow, policy }: ChangeContext,
): Promise<TierCounts> {
  const borders = [tierBorder('hot', agentNow, policy), tierBorder('warm', agentNow, policy)];
  const [groups, hot = nothing, nearer = nothing] = await Promise.all([
    countArchived(store, agentId),
    ...borders.map((from) => countFrom(store, agentId, from)),
  ]);
  return { working: groups.get(0) ?? nothing, archived: groups.get(1) ?? nothing, hot, nearer };
}

function statsOf({ working, archived, hot, nearer }: TierCounts, at: number): ItemStats {
  return {
    at,
    ...working,
    tiers: [
      { tier: 'hot', ...hot },
      { tier: 'warm', ...without(nearer, hot) },
      { tier: 'cold', ...without(working, nearer) },
    ],
    archived: { ...archived },
  };
}

/**
 * Counts by tier. Makes three counts, of which two read the rows at a border; no other rows where the backend keeps tallies. Costs nothing
 * if it was asked for before and nothing was written since.
 */
export async function itemStats(
  store: ItemStore,
  agentId: string,
  known: KnownReads<KnownCounts>,
): Promise<ItemStats> {
  const moment = await contextNow(store, agentId);
  const { value, keep } = known.look(agentId);
  if (value !== undefined && holdsStill(value, moment)) return statsOf(value, moment.now);
  const standing = keep && (await standingOf(store, [agentId, moment], ['hot', 'warm']));
  const counts = await countTiers(store, agentId, moment);
  if (standing !== undefined) keep?.({ ...counts, ...standing });
  return statsOf(counts, moment.now);
}
