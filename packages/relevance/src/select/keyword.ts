/** What the keyword strategy reads of a pointer. */
export interface KeywordPointer {
  readonly toolDescription: string;
}

/**
 * Seed 000's selection, strategy `keyword`: words longer than 2 characters, overlap with the description, most first;
 * ties keep their order; all pointers, in their order, when none matches.
 * Contract: pure; gives the pointers themselves.
 */
export function selectByKeyword<Pointer extends KeywordPointer>(
  query: string,
  pointers: readonly Pointer[],
): Pointer[] {
  const asked = keywords(query);
  const scored = pointers
    .map((pointer) => ({ pointer, score: overlap(asked, keywords(pointer.toolDescription)) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  return scored.length === 0 ? [...pointers] : scored.map(({ pointer }) => pointer);
}

function keywords(text: string): Set<string> {
  return new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 2),
  );
}

function overlap(asked: ReadonlySet<string>, held: ReadonlySet<string>): number {
  let count = 0;
  for (const word of asked) if (held.has(word)) count++;
  return count;
}
