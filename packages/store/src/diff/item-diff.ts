import type { Tier } from '@ctx/core';
import type { ManifestItem } from '../checkpoints/checkpoint.ts';
import { diffManifests, type ManifestEntry } from './diff-manifests.ts';

/** Where an item stands: in a tier, or archived. */
export type ItemPlace = Tier | 'archived';

/** An item in a diff. */
export interface DiffEntry {
  readonly id: string;
  /** SHA-256 (hex) of its content. */
  readonly fingerprint: string;
  readonly place: ItemPlace;
}

/** An item that is another now. */
export interface DiffChange {
  readonly before: DiffEntry;
  readonly after: DiffEntry;
}

/** What became of items between two moments. What is archived at both of them is in none of the lists. */
export interface ItemDiff {
  readonly added: readonly DiffEntry[];
  /** Another content. */
  readonly changed: readonly DiffChange[];
  /** The same content in another tier, or archived now, or no longer. */
  readonly moved: readonly DiffChange[];
  readonly removed: readonly DiffEntry[];
  /** Items that say the same and stand in the same place; those that moved into the archive are not among them. */
  readonly unchanged: number;
}

/** The place of an item of a manifest. */
export function placeOf({ tier, archived }: Pick<ManifestItem, 'tier' | 'archived'>): ItemPlace {
  return archived ? 'archived' : tier;
}

/** An item of a manifest as a diff names it. */
export function diffEntryOf(item: ManifestItem): DiffEntry {
  return { id: item.id, fingerprint: item.fingerprint, place: placeOf(item) };
}

const places: readonly ItemPlace[] = ['hot', 'warm', 'cold', 'archived'];

function entryOf({ id, fingerprint, tier }: ManifestEntry): DiffEntry {
  return { id, fingerprint, place: places.find((place) => place === tier) ?? 'cold' };
}

/** Tells what changed between two manifests. Pure. Makes one pass over each. */
export function diffItemManifests(
  before: readonly ManifestItem[],
  after: readonly ManifestItem[],
): ItemDiff {
  const entries = (items: readonly ManifestItem[]): ManifestEntry[] =>
    items.map((item) => ({ id: item.id, fingerprint: item.fingerprint, tier: placeOf(item) }));
  const { added, changed, removed, unchangedCount } = diffManifests(
    entries(before),
    entries(after),
  );
  const changes = changed.map((one) => ({
    before: entryOf(one.before),
    after: entryOf(one.after),
  }));
  const isContent = (one: DiffChange): boolean => one.before.fingerprint !== one.after.fingerprint;
  return {
    added: added.map(entryOf),
    changed: changes.filter(isContent),
    moved: changes.filter((one) => !isContent(one)),
    removed: removed.map(entryOf),
    unchanged: unchangedCount,
  };
}
