/**
 * nDCG@`depth` with relevance 0 or 1: 1 when all relevant documents come first.
 * `relevantCount` is the number of documents that could have been found.
 */
export function ndcg(ranked: readonly string[], relevant: ReadonlySet<string>, depth = 10): number {
  let gain = 0;
  let ideal = 0;
  for (let rank = 0; rank < depth; rank++) {
    const discount = 1 / Math.log2(rank + 2);
    const id = ranked[rank];
    if (id !== undefined && relevant.has(id)) gain += discount;
    if (rank < relevant.size) ideal += discount;
  }
  return ideal === 0 ? 0 : gain / ideal;
}
