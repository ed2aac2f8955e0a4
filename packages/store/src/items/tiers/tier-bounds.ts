import { tierBorder } from '@ctx/core';
import { collectScan } from '../../backend/indexes/map-scan.ts';
import { contextNow, type ItemStore } from '../item-store.ts';
import type { ChangeContext } from '../save/plan-change.ts';

/** Which items an agent has down to some tiers, and until when: they hold until time passes the lowest of them. */
export interface Standing {
  /** When this was so, ms since the epoch. */
  readonly at: number;
  readonly lowest: readonly {
    readonly tier: 'hot' | 'warm';
    /** The lowest rank that was not below it; above all ranks where there was none. */
    readonly rank: number;
  }[];
}

/** Reads how the items of an agent stand to the borders of tiers. Cost: one step of an index each. */
export async function standingOf(
  store: ItemStore,
  agentId: string,
  borders: readonly ('hot' | 'warm')[],
): Promise<Standing> {
  const { now, policy } = contextNow(store);
  const lowest = borders.map(async (tier) => {
    const range = { from: tierBorder(tier, now, policy) };
    const query = {
      index: 'by_rank',
      equal: [agentId, 0],
      range,
      limit: 1,
      part: 'columns',
    } as const;
    const [first] = await collectScan(store.collection.scan(query));
    return { tier, rank: Number(first?.columns['rank'] ?? Number.POSITIVE_INFINITY) };
  });
  return { at: now, lowest: await Promise.all(lowest) };
}

/** Whether time has moved no item from one tier to another. A clock that was set back may have. */
export function holdsStill({ at, lowest }: Standing, { now, policy }: ChangeContext): boolean {
  return now >= at && lowest.every(({ tier, rank }) => rank >= tierBorder(tier, now, policy));
}
