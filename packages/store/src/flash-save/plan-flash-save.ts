import { tierBorder } from '@ctx/core';
import type { CheckpointTrigger } from '../checkpoints/checkpoint.ts';
import type { WorkingItems } from '../checkpoints/working/working-items.ts';
import type { WorkingState } from '../checkpoints/working/working-state.ts';
import type { FlashSavePolicy } from './flash-save-policy.ts';

/** An item that takes much of the budget. */
export interface BigItem {
  readonly id: string;
  readonly kind: string;
  readonly tokens: number;
  readonly pinned: boolean;
}

/** How a flash save is named. */
export interface FlashSaveNaming {
  /** Default `limit`. */
  readonly trigger?: CheckpointTrigger;
  readonly label?: string;
}

/** A flash save that is decided: what leaves, what stays, and what that gives. */
export interface FlashSavePlan extends FlashSaveNaming {
  readonly state: WorkingState;
  /** How many items are cold and archived, those at the end of `state.items`: marked, not deleted. */
  readonly archive: number;
  /** Ids of the hot items that stay in the working context, most important first. */
  readonly retained: readonly string[];
  /** Warm items, which stay at hand but out of the working context. */
  readonly warm: number;
  /** Tokens of all items that were not archived. */
  readonly tokensBefore: number;
  /** Tokens of `retained`. */
  readonly tokensAfter: number;
  /** Whether all pinned and hot items stay within the budget. */
  readonly fits: boolean;
  /** Where they do not: the biggest of them, biggest first, five at most. */
  readonly biggest: readonly BigItem[];
}

const mostNamed = 5;

/** The biggest of the first so many items; of those of one size, the first by id. */
function biggestOf(items: WorkingItems, count: number): BigItem[] {
  const sizes = items.tokens.slice(0, count).sort((left, right) => right - left);
  const least = sizes[mostNamed - 1] ?? 0;
  return items
    .slice(0, count)
    .flatMap(({ item: { id, kind, tokens, pinned } }) =>
      tokens < least ? [] : [{ id, kind, tokens, pinned }],
    )
    .sort((left, right) => right.tokens - left.tokens || (left.id < right.id ? -1 : 1))
    .slice(0, mostNamed);
}

/** Takes whatever fits of the first so many items, most important first; pinned items come first of all. */
function retain(items: WorkingItems, count: number, hotTokens: number) {
  const retained: string[] = [];
  let tokens = 0;
  items.ids(count).forEach((id, at) => {
    const size = items.tokens[at] ?? 0;
    if (tokens + size > hotTokens) return;
    retained.push(id);
    tokens += size;
  });
  return { retained, tokens };
}

/** First place with a rank below `rank`, in a list of falling ranks. Takes logarithmic time. */
function firstBelow(ranks: readonly number[], rank: number): number {
  let low = 0;
  let high = ranks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranks[middle] ?? -Infinity) >= rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Decides what a flash save does: cold items leave, warm ones stay at hand, hot ones stay within their budget.
 * Pure. Makes one pass over the items.
 */
export function planFlashSave(
  state: WorkingState,
  policy: FlashSavePolicy,
  naming: FlashSaveNaming = {},
): FlashSavePlan {
  const { items, agentNow, policy: importance } = state;
  const hotEnd = firstBelow(items.ranks, tierBorder('hot', agentNow, importance));
  const warmEnd = firstBelow(items.ranks, tierBorder('warm', agentNow, importance));
  const { retained, tokens } = retain(items, hotEnd, policy.hotTokens);
  const fits = retained.length === hotEnd;
  return {
    ...naming,
    state,
    archive: items.count - warmEnd,
    retained,
    warm: warmEnd - hotEnd,
    tokensBefore: items.tokens.reduce((sum, one) => sum + one, 0),
    tokensAfter: tokens,
    fits,
    biggest: fits ? [] : biggestOf(items, hotEnd),
  };
}
