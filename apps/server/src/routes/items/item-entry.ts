import type { ContextItem, ItemSummary } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';
import type { ContextStore } from '@ctx/store';
import { type ItemEntry, itemEntryOf } from '../../schemas/item-entry.ts';

/** The entry of an item as it stands now. */
export function entryOf(
  { items }: ContextStore,
  item: ItemSummary & Partial<Pick<ContextItem, 'content'>>,
): ItemEntry {
  return itemEntryOf(item, items.standing(item));
}

/** The version of an item: whatever is stored of it, but not how it fades. */
export function versionOf(item: ItemSummary): string {
  const { fingerprint, rank, pinned, archived, accessCount, lastAccessedAt, kind } = item;
  const state = [fingerprint, rank, pinned, archived, accessCount, lastAccessedAt, kind];
  return fingerprintText(JSON.stringify([...state, item.finishedAt ?? null])).slice(0, 32);
}
