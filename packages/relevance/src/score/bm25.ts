/** How much a word says that stands in `matching` of `total` documents. Never negative. Source: Lucene's BM25. */
export function inverseFrequency(matching: number, total: number): number {
  return Math.log(1 + (total - matching + 0.5) / (matching + 0.5));
}

/** How much the length of a text makes its words count less: 1 at the average, `share` (0…1) of the way to proportional. */
export function lengthNorm(length: number, average: number, share: number): number {
  return average > 0 ? 1 - share + (share * length) / average : 1;
}

/** A repeated word counts ever less: 1 for `count` 1, towards `k + 1`. */
export function saturate(count: number, k: number): number {
  return count === 0 ? 0 : (count * (k + 1)) / (count + k);
}
