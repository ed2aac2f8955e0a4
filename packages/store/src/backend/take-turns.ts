/** Lets works that share a name run one after the other, in the order they were handed in; all others overlap. */
export type TurnTaker = <Result>(
  names: readonly string[],
  work: () => Promise<Result>,
) => Promise<Result>;

/** Makes a turn taker. A work that fails stops no other. Keeps the works that wait in memory. */
export function takeTurns(): TurnTaker {
  const last = new Map<string, Promise<unknown>>();
  return async (names, work) => {
    const before = names.flatMap((name) => last.get(name) ?? []);
    const turn = Promise.allSettled(before).then(work);
    for (const name of names) last.set(name, turn);
    try {
      return await turn;
    } finally {
      for (const name of names) if (last.get(name) === turn) last.delete(name);
    }
  };
}
