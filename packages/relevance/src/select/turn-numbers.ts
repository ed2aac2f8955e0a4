/** What is read of an output to number its turn. */
export interface QueriedOutput {
  readonly id: string;
  readonly queryId?: string;
}

/**
 * Numbers the turns of one session's outputs, given in order: each new `queryId` starts one. The n-th turn is n - 1.
 * Outputs without a query have none.
 */
export function turnNumbers(outputs: Iterable<QueriedOutput>): Map<string, number> {
  const turns = new Map<string, number>();
  let current = -1;
  let last: string | undefined;
  for (const { id, queryId } of outputs) {
    if (queryId === undefined) continue;
    if (queryId !== last) {
      current++;
      last = queryId;
    }
    turns.set(id, current);
  }
  return turns;
}
