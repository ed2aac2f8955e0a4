import { rankAt } from '@ctx/core';
import { collectScan } from '../../backend/indexes/map-scan.ts';
import { contextNow, type ItemStore } from '../item-store.ts';
import type { ChangeContext } from '../save/plan-change.ts';

/** Which items an agent has above some importances, and until when: they hold until time passes the lowest of them. */
export interface Standing {
  /** When this was so, ms since the epoch. */
  readonly at: number;
  readonly lowest: readonly {
    /** An importance that divides two tiers. */
    readonly from: number;
    /** The lowest rank that was not below it; above all ranks where there was none. */
    readonly rank: number;
  }[];
}

/** Reads how the items of an agent stand to some importances. Cost: one step of an index each. */
export async function standingOf(
  store: ItemStore,
  agentId: string,
  importances: readonly number[],
): Promise<Standing> {
  const { now, policy } = contextNow(store);
  const lowest = importances.map(async (from) => {
    const range = { from: rankAt(from, now, policy) };
    const query = {
      index: 'by_rank',
      equal: [agentId, 0],
      range,
      limit: 1,
      part: 'columns',
    } as const;
    const [first] = await collectScan(store.collection.scan(query));
    return { from, rank: Number(first?.columns['rank'] ?? Number.POSITIVE_INFINITY) };
  });
  return { at: now, lowest: await Promise.all(lowest) };
}

/** Whether time has moved no item from one tier to another. A clock that was set back may have. */
export function holdsStill({ at, lowest }: Standing, { now, policy }: ChangeContext): boolean {
  return now >= at && lowest.every(({ from, rank }) => rank >= rankAt(from, now, policy));
}
