import type { StandingItem, WorkingState } from '../checkpoints/working-state.ts';
import type { CheckpointTrigger } from '../records/checkpoint.ts';
import type { ItemSummary } from '../records/context-item.ts';
import { rankAt } from '../scoring/rank.ts';
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
  /** Cold items, which are archived: marked, not deleted. */
  readonly archive: readonly StandingItem[];
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

function biggestOf(items: readonly ItemSummary[]): BigItem[] {
  return [...items]
    .sort((left, right) => right.tokens - left.tokens || left.id.localeCompare(right.id))
    .slice(0, mostNamed)
    .map(({ id, kind, tokens, pinned }) => ({ id, kind, tokens, pinned }));
}

/** Takes whatever fits, most important first; pinned items come first of all. */
function retain(hot: readonly ItemSummary[], hotTokens: number) {
  const retained: string[] = [];
  let tokens = 0;
  for (const item of hot) {
    if (tokens + item.tokens > hotTokens) continue;
    retained.push(item.id);
    tokens += item.tokens;
  }
  return { retained, tokens };
}

function tokensOf(items: readonly StandingItem[]): number {
  return items.reduce((sum, { item }) => sum + item.tokens, 0);
}

/** First place whose item has a rank below `rank`, in a list by falling rank. Cost: logarithmic. */
function firstBelow(items: readonly StandingItem[], rank: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.item.rank ?? -Infinity) >= rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Decides what a flash save does: cold items leave, warm ones stay at hand, hot ones stay within their budget.
 * Contract: pure. Cost: one pass over the items.
 */
export function planFlashSave(
  state: WorkingState,
  policy: FlashSavePolicy,
  naming: FlashSaveNaming = {},
): FlashSavePlan {
  const { items, now, policy: importance } = state;
  const hotEnd = firstBelow(items, rankAt(importance.hotFrom, now, importance));
  const warmEnd = firstBelow(items, rankAt(importance.warmFrom, now, importance));
  const hot = items.slice(0, hotEnd).map(({ item }) => item);
  const { retained, tokens } = retain(hot, policy.hotTokens);
  const fits = retained.length === hot.length;
  return {
    ...naming,
    state,
    archive: items.slice(warmEnd),
    retained,
    warm: warmEnd - hotEnd,
    tokensBefore: tokensOf(items),
    tokensAfter: tokens,
    fits,
    biggest: fits ? [] : biggestOf(hot),
  };
}
