import type { Pair } from '../log/segment.ts';
import type { CarriedRead } from '../log/window-log.ts';
import { byIndex, pairsIn, type QueueState } from './queue-state.ts';

/** Knows which reads a summary carries, because the work needs them. */
export interface Carrying {
  /** Reads that stay because the work needs them, those in the tail too, oldest first. */
  needed(): readonly Pair[];
  /**
   * Takes note of the reads that a summary carries: pairs of the messages that leave now, and those that the summary before carried.
   * A newer read of the same lines puts them out of date, as any other.
   */
  carry(needed: readonly Pick<CarriedRead, 'pair'>[], leaving: readonly Pair[]): void;
  /** Whether the work still needs a read that a summary carries, by the number of its pair. */
  isCarried(pair: number): boolean;
  /** Most tokens of reads that a summary carries. */
  carryTokens(): number;
}

/** Starts without any. */
export function carrying(state: QueueState): Carrying {
  const { reads, rules, lanes, host } = state;
  let carried = new Map<number, Pair>();
  return {
    needed: () => {
      const young = pairsIn([lanes.read], 'tail').filter((pair) => rules.isHeld(pair));
      return [...state.held, ...young].sort(byIndex);
    },
    carry: (needed, leaving) => {
      const known = new Map([...carried, ...leaving.map((pair) => [pair.index, pair] as const)]);
      for (const pair of carried.values()) reads.forget(pair);
      carried = new Map(
        needed.flatMap(({ pair: index }) => {
          const pair = known.get(index);
          return pair === undefined ? [] : [[index, pair] as const];
        }),
      );
      for (const pair of carried.values()) reads.add(pair);
    },
    isCarried: (index) => {
      const pair = carried.get(index);
      return pair !== undefined && rules.isAtWork(pair);
    },
    carryTokens: () => host.holdTokens(),
  };
}
