import {
  type PointerSelection,
  type SelectablePointer,
  type SelectionPolicy,
  selectionPolicy,
  withinBudget,
} from './select-pointers.ts';

/** What the keyword strategy reads of a pointer. */
export interface KeywordPointer extends SelectablePointer {
  readonly toolDescription: string;
}

/**
 * Selects within the budgets by the rule of seed 000, strategy `keyword`: words longer than 2 characters, overlap with the
 * description, most first; ties keep their order. If none matches, all count as matches.
 *
 * @throws `CTX_INVALID_OPTION` for a budget that is negative or no number.
 */
export function selectByKeyword<Pointer extends KeywordPointer>(
  prompt: string,
  pointers: readonly Pointer[],
  options: Partial<SelectionPolicy> = {},
): PointerSelection<Pointer> {
  const asked = keywords(prompt);
  const scored = pointers
    .map((pointer) => ({ pointer, overlap: overlap(asked, keywords(pointer.toolDescription)) }))
    .filter((one) => one.overlap > 0)
    .sort((a, b) => b.overlap - a.overlap);
  const matching = scored.length === 0 ? pointers : scored.map(({ pointer }) => pointer);
  const candidates = matching.map((pointer) => ({ pointer, score: 0 }));
  const chosen = withinBudget(candidates, selectionPolicy(options));
  return { ...chosen, fallback: false, belowScore: 0 };
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
