/** Damps the difference between the first places. The usual value of reciprocal rank fusion. */
const damping = 60;

/** Scores names by their places in several lists; the best that any could have is 1. */
export function fuseRanks(lists: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const used = lists.filter((list) => list.length > 0);
  const scores = new Map<string, number>();
  for (const list of used) {
    list.forEach((name, place) => {
      const share = (damping + 1) / (damping + 1 + place) / used.length;
      scores.set(name, (scores.get(name) ?? 0) + share);
    });
  }
  return scores;
}
