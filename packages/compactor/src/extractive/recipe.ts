/** What share of a summary each part may take; what one leaves, the covering lines use. */
export interface ExtractiveRecipe {
  /** The first message of the user. Default 0.2. */
  readonly task: number;
  /** The newest plan. Default 0.1. */
  readonly plan: number;
  /** New text of the newest edits. Default 0.25. */
  readonly edits: number;
  /** What the user said, newest first. Default 0.1. */
  readonly userTexts: number;
  /** Files read and changed, with their pointers. Default 0.05. */
  readonly files: number;
  /** Errors without a later success. Default 0.05. */
  readonly errors: number;
  /** Commands and how they ended. Default 0.02. */
  readonly commands: number;
  /** Open tasks. Default 0.04. */
  readonly tasks: number;
  /** Decisions and rules. Default 0.04. */
  readonly decisions: number;
  /**
   * Lines that state facts, where there are any, the user's first. Default 0.4, of a summary below 3,000 tokens three fifths of it; what
   * others stated gets 0.15 of that up to 4,000 tokens, all of it from 8,000 on.
   */
  readonly facts: number;
  /** Literals that found no place in any line. Default 0.12, of an annex a quarter of it. */
  readonly literals: number;
}

/** The only place where these numbers stand. Source: design; facts and literals by `npm run bench -- compaction`, November 2026. */
export const defaultRecipe: ExtractiveRecipe = {
  task: 0.2,
  plan: 0.1,
  edits: 0.25,
  userTexts: 0.1,
  files: 0.05,
  errors: 0.05,
  commands: 0.02,
  tasks: 0.04,
  decisions: 0.04,
  facts: 0.4,
  literals: 0.12,
};

/** Below so many tokens task, plan and edits get nothing; from the second number on they get their share. */
const [withoutFrom, wholeFrom] = [3000, 4000];

/** What the first message of the user gets at least: a summary without a goal misleads whoever goes on from it. */
const leastTask = 0.05;

/** The share of the first message, where task, plan and edits have shrunk by `scale`. */
export function taskShare({ task }: ExtractiveRecipe, scale: number): number {
  return Math.max(Math.min(task, leastTask), task * scale);
}

/** The share of facts in a summary of this size. */
export function factShare(maxTokens: number, { facts }: ExtractiveRecipe): number {
  return maxTokens < withoutFrom ? facts * 0.6 : facts;
}

/** Up to the first size a summary is small, from the second on it is large. */
const [smallTo, largeFrom] = [4000, 8000];

/** A number that goes from one value to another while a summary grows from small to large. */
function bySize(
  maxTokens: number,
  [small, large]: readonly [small: number, large: number],
): number {
  const grown = Math.min(1, Math.max(0, maxTokens - smallTo) / (largeFrom - smallTo));
  return small + (large - small) * grown;
}

/**
 * The share of facts that the user did not state, in a summary of this size: where room is short, lines that cover more do more.
 * Source: `npm run bench -- compaction`, November 2026.
 */
export function otherFactShare(maxTokens: number, recipe: ExtractiveRecipe): number {
  return factShare(maxTokens, recipe) * bySize(maxTokens, [0.15, 1]);
}

/**
 * By how much task, plan and edits shrink: facts that exist take their room first, and a small summary has none for them.
 * Units: a factor from 0 to 1.
 */
export function leadingScale(
  maxTokens: number,
  factTokens: number,
  recipe: ExtractiveRecipe,
): number {
  const { task, plan, edits, facts: _facts, ...others } = recipe;
  const fixed = Object.values(others).reduce((sum, share) => sum + share, 0);
  const forFacts = Math.min(factShare(maxTokens, recipe), factTokens / maxTokens);
  const wanted = task + plan + edits;
  const bySize = (maxTokens - withoutFrom) / (wholeFrom - withoutFrom);
  const byRoom = wanted === 0 ? 0 : (1 - fixed - forFacts) / wanted;
  return Math.max(0, Math.min(1, bySize, byRoom));
}
