/** A growing list of numbers whose sums over a range are asked for. */
export interface SumTree {
  readonly length: number;
  push(value: number): void;
  /** Adds to one of the numbers. */
  add(index: number, change: number): void;
  /** Sum of all numbers from `index` on. */
  sumFrom(index: number): number;
}

/** Starts empty. Each call takes time logarithmic in the length. */
export function createSumTree(): SumTree {
  /** Binary indexed: entry n (from 1) is the sum of the last `n & -n` numbers up to n. */
  const sums: number[] = [0];
  let total = 0;
  const sumBefore = (index: number): number => {
    let sum = 0;
    for (let place = index; place > 0; place -= place & -place) sum += sums[place] ?? 0;
    return sum;
  };
  return {
    get length() {
      return sums.length - 1;
    },
    push: (value) => {
      const place = sums.length;
      const start = place - (place & -place);
      sums.push(value + sumBefore(place - 1) - sumBefore(start));
      total += value;
    },
    add: (index, change) => {
      for (let place = index + 1; place < sums.length; place += place & -place) {
        sums[place] = (sums[place] ?? 0) + change;
      }
      total += change;
    },
    sumFrom: (index) => total - sumBefore(Math.min(index, sums.length - 1)),
  };
}
