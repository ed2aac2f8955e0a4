/** A stream of numbers that is the same for the same seed. */
export interface SeededRandom {
  /** A whole number in 0…limit-1. */
  readonly below: (limit: number) => number;
  /** One of the list, which must not be empty. */
  readonly pick: <T>(list: readonly [T, ...T[]]) => T;
  /** True in so many of 100 cases. */
  readonly chance: (percent: number) => boolean;
}

/** Source: mulberry32, by Tommy Ettinger, public domain. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: (list) => list[below(list.length)] ?? list[0],
    chance: (percent) => below(100) < percent,
  };
}
