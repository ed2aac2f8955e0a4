import { type Tier, tiers } from '../scoring/tier.ts';
import { contextNow, type ItemStore } from './item-store.ts';
import { tierRange } from './load-items.ts';

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

/** Counts by tier. Cost: four index ranges, no rows where the backend keeps tallies. */
export async function itemStats(store: ItemStore, agentId: string): Promise<ItemStats> {
  const context = contextNow(store);
  const count = async (
    range: Parameters<ItemStore['collection']['tally']>[0],
  ): Promise<ItemTally> => {
    const [found] = await store.collection.tally({ ...range, sums: ['tokens'] });
    return { items: found?.count ?? 0, tokens: found?.sums[0] ?? 0 };
  };
  const [archived, ...counted] = await Promise.all([
    count({ index: 'by_rank', equal: [agentId, 1] }),
    ...tiers.map(async (tier) => ({ tier, ...(await count(tierRange(agentId, tier, context))) })),
  ]);
  const sum = (of: (tally: ItemTally) => number): number =>
    counted.reduce((all, tally) => all + of(tally), 0);
  return {
    at: context.now,
    tiers: counted,
    items: sum(({ items }) => items),
    tokens: sum(({ tokens }) => tokens),
    archived,
  };
}
