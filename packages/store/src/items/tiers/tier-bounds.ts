import { tierBorder } from '@ctx/core';
import { collectScan } from '../../backend/indexes/map-scan.ts';
import type { ChangeContext } from '../agent-clock.ts';
import type { ItemStore } from '../item-store.ts';

/** Which items an agent has down to some tiers, and until when: they hold until time passes the lowest of them. */
export interface Standing {
  /** When this was so, in the agent's own time. */
  readonly at: number;
  readonly lowest: readonly {
    readonly tier: 'hot' | 'warm';
    /** The lowest rank that was not below it; above all ranks where there was none. */
    readonly rank: number;
  }[];
}

/** Reads how the items of an agent stand to the borders of tiers. Takes one step of an index for each. */
export async function standingOf(
  store: ItemStore,
  [agentId, { agentNow, policy }]: readonly [string, ChangeContext],
  borders: readonly ('hot' | 'warm')[],
): Promise<Standing> {
  const lowest = borders.map(async (tier) => {
    const range = { from: tierBorder(tier, agentNow, policy) };
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
  return { at: agentNow, lowest: await Promise.all(lowest) };
}

/** Whether time has moved no item from one tier to another. A clock that was set back may have. */
export function holdsStill({ at, lowest }: Standing, { agentNow, policy }: ChangeContext): boolean {
  return (
    agentNow >= at && lowest.every(({ tier, rank }) => rank >= tierBorder(tier, agentNow, policy))
  );
}
