import { CtxError } from '@ctx/core';
import type { RankedDocument } from '../index/relevance-document.ts';

/** How much of what was ranked may be used. */
export interface SelectionPolicy {
  /** Default 10. */
  readonly maxResults: number;
  /** Tokens of all selected outputs together. Default 20,000. */
  readonly maxTokens: number;
  /** What scores less is not selected, even if that leaves nothing. Default 0: never abstains where a word or name matches. */
  readonly minScore: number;
  /** Most recent ones given where nothing matches the prompt. Default 3; 0 abstains. */
  readonly fallbackResults: number;
}

/** The only place where these numbers stand. */
export const defaultSelectionPolicy: SelectionPolicy = {
  maxResults: 10,
  maxTokens: 20_000,
  minScore: 0,
  fallbackResults: 3,
};

/** What the selection reads of a pointer. */
export interface SelectablePointer {
  readonly id: string;
  /** Of the whole output. */
  readonly tokens: number;
  readonly sequence: number;
}

export interface SelectedPointer<Pointer extends SelectablePointer> {
  readonly pointer: Pointer;
  readonly score: number;
  /** Left out for what was chosen for its age only. */
  readonly parts?: RankedDocument['parts'];
}

/** What was selected, and what was not and why. */
export interface PointerSelection<Pointer extends SelectablePointer> {
  readonly selected: readonly SelectedPointer<Pointer>[];
  /** Nothing matched the prompt: these are the most recent ones. */
  readonly fallback: boolean;
  /** Tokens of the selected outputs. */
  readonly tokens: number;
  /** Left out because they scored below `minScore`. */
  readonly belowScore: number;
  /** Left out because a budget was used up, or they alone are larger than what was left of it. */
  readonly overBudget: number;
}

/**
 * Picks the best outputs within the budgets. Where none holds a word of the prompt and none is named by it, the most recent
 * few within the budgets, never everything.
 * Pure; keeps the order of `ranked`; ids in `ranked` without a pointer are passed over.
 * @throws `CTX_INVALID_OPTION` for a policy with a negative number or one that is none.
 */
export function selectPointers<Pointer extends SelectablePointer>(
  ranked: readonly RankedDocument[],
  pointers: readonly Pointer[],
  options: Partial<SelectionPolicy> = {},
): PointerSelection<Pointer> {
  const policy = selectionPolicy(options);
  if (!ranked.some(answersPrompt)) return selectRecent(pointers, policy);
  const byId = new Map(pointers.map((pointer) => [pointer.id, pointer]));
  const scored = ranked.flatMap(({ id, score, parts }) => {
    const pointer = byId.get(id);
    return pointer === undefined ? [] : [{ pointer, score, parts }];
  });
  const good = scored.filter(({ score }) => score >= policy.minScore);
  return {
    ...withinBudget(good, policy),
    fallback: false,
    belowScore: scored.length - good.length,
  };
}

/** Whether the prompt has anything to do with the document, age and activity aside. */
export function answersPrompt({ parts }: RankedDocument): boolean {
  return parts.text + parts.args + parts.title + parts.named + (parts.reranked ?? 0) > 0;
}

function selectRecent<Pointer extends SelectablePointer>(
  pointers: readonly Pointer[],
  policy: SelectionPolicy,
): PointerSelection<Pointer> {
  const newest = [...pointers].sort((a, b) => b.sequence - a.sequence);
  const chosen = withinBudget(
    newest.map((pointer) => ({ pointer, score: 0 })),
    { ...policy, maxResults: Math.min(policy.maxResults, policy.fallbackResults) },
  );
  return { ...chosen, fallback: true, belowScore: 0 };
}

type Budgeted<Pointer extends SelectablePointer> = Pick<
  PointerSelection<Pointer>,
  'selected' | 'tokens' | 'overBudget'
>;

/** In order; what does not fit is passed over for what comes after it. */
export function withinBudget<Pointer extends SelectablePointer>(
  candidates: readonly SelectedPointer<Pointer>[],
  { maxResults, maxTokens }: Pick<SelectionPolicy, 'maxResults' | 'maxTokens'>,
): Budgeted<Pointer> {
  const selected: SelectedPointer<Pointer>[] = [];
  let tokens = 0;
  for (const candidate of candidates) {
    if (selected.length >= maxResults) break;
    if (tokens + candidate.pointer.tokens > maxTokens) continue;
    tokens += candidate.pointer.tokens;
    selected.push(candidate);
  }
  return { selected, tokens, overBudget: candidates.length - selected.length };
}

/**
 * The limits among these options, with defaults.
 * @throws `CTX_INVALID_OPTION` for one that is negative or no number.
 */
export function selectionPolicy(options: Partial<SelectionPolicy>): SelectionPolicy {
  const { maxResults, maxTokens, minScore, fallbackResults } = {
    ...defaultSelectionPolicy,
    ...options,
  };
  const policy = { maxResults, maxTokens, minScore, fallbackResults };
  for (const [name, value] of Object.entries(policy)) {
    if (value >= 0) continue;
    throw new CtxError(
      'CTX_INVALID_OPTION',
      `selection policy: ${name} cannot be ${String(value)}`,
    );
  }
  return policy;
}
