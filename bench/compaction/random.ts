/** Random numbers that a seed repeats. */
export interface Random {
  /** 0 to 1, 1 excluded. */
  readonly next: () => number;
  /** A whole number from 0 to below `limit`. */
  readonly upTo: (limit: number) => number;
  readonly pick: (list: readonly string[]) => string;
}

/** The generator of Park and Miller. */
export function createRandom(seed: number): Random {
  let state = (seed % 2_147_483_646) + 1;
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return (state - 1) / 2_147_483_646;
  };
  const upTo = (limit: number): number => Math.floor(next() * limit);
  return { next, upTo, pick: (list) => list[upTo(list.length)] ?? '' };
}
