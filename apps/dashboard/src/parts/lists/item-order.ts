import type { ItemEntry } from '../../api/queries.ts';

/** What a list of items is ordered by, and which it shows. */
export interface ItemFilter {
  readonly tier: string;
  readonly kind: string;
  readonly sort: string;
}

type Compare = (left: ItemEntry, right: ItemEntry) => number;

const orders: Readonly<Record<string, Compare>> = {
  importance: (left, right) => right.importance - left.importance,
  tokens: (left, right) => right.tokens - left.tokens,
  newest: (left, right) => right.createdAt.localeCompare(left.createdAt),
  used: (left, right) => right.accessCount - left.accessCount,
};

/** Names of the orders. */
export const orderNames: readonly string[] = Object.keys(orders);

function isShown({ archived, tier, kind }: ItemEntry, filter: ItemFilter): boolean {
  if (filter.kind !== '' && kind !== filter.kind) return false;
  if (filter.tier === '') return true;
  return filter.tier === 'archived' ? archived : !archived && tier === filter.tier;
}

/** The items that are wanted, in the order that is wanted; equal ones by id, so that nothing jumps. */
export function orderItems(items: readonly ItemEntry[], filter: ItemFilter): ItemEntry[] {
  const compare = orders[filter.sort];
  const found = items.filter((item) => isShown(item, filter));
  if (compare === undefined) return found;
  return found.sort((left, right) => compare(left, right) || left.id.localeCompare(right.id));
}
