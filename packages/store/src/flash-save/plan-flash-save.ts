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

/** The biggest of the items with these ids, the first of all; of those of one size, the first by id. Reads two lists for each that it names. */
function biggestOf(items: WorkingItems, ids: readonly string[]): BigItem[] {
  const sizes = items.tokens.slice(0, ids.length);
  const least = sizes.toSorted((left, right) => right - left)[mostNamed - 1] ?? 0;
  return sizes
    .flatMap((tokens, at) => (tokens < least ? [] : [{ tokens, at, id: ids[at] ?? '' }]))
    .sort((left, right) => right.tokens - left.tokens || (left.id < right.id ? -1 : 1))
    .slice(0, mostNamed)
    .map(({ id, tokens, at }) => ({
      id,
      kind: String(items.value(at, 'kind')),
      tokens,
      pinned: items.value(at, 'pinned') !== 0,
    }));
}

/** Takes whatever fits of the items with these ids, the first of all: most important first, pinned ones before the others. */
function retain(items: WorkingItems, ids: readonly string[], hotTokens: number) {
  const retained: string[] = [];
  let tokens = 0;
  ids.forEach((id, at) => {
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
  const hot = items.ids(hotEnd);
  const { retained, tokens } = retain(items, hot, policy.hotTokens);
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
    biggest: fits ? [] : biggestOf(items, hot),
  };
}
