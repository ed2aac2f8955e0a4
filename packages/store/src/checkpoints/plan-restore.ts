import type { ContextItem, ItemSummary } from '@ctx/core';
import type { ManifestItem } from './checkpoint.ts';
import type { StandingItem } from './working/working-part.ts';

/** An item that gets back what it had but its content, which is the same. */
export interface ItemMove {
  readonly before: StandingItem;
  readonly after: ItemSummary;
}

/** An item that gets its content back, or comes back as a whole. */
export interface ItemReturn {
  /** Missing where there is no such item any more. */
  readonly before: StandingItem | undefined;
  readonly after: ContextItem;
}

/** What a restore does to the items of an agent. */
export interface RestorePlan {
  readonly moves: readonly ItemMove[];
  readonly returns: readonly ItemReturn[];
  /** Items that the checkpoint does not hold: they leave the tiers, and are kept. */
  readonly archive: readonly StandingItem[];
  /** Items whose content of then is nowhere any more; they stay as they are. */
  readonly missing: readonly string[];
  /** Items that are as they were. */
  readonly unchanged: number;
}

/** What a plan is made from. */
export interface RestoreInput {
  readonly agentId: string;
  readonly manifest: readonly ManifestItem[];
  /** The items that are not archived now. */
  readonly working: readonly StandingItem[];
  /** Those of the manifest that are archived now. */
  readonly archived: readonly StandingItem[];
  /** Contents of the manifest's items that have another one now or are gone, by the item's id. */
  readonly contents: ReadonlyMap<string, string>;
  /** ms since the epoch. */
  readonly now: number;
}

/** The item as the manifest has it. When it changed, it changed now. */
function restored(
  { tier: _tier, ...item }: ManifestItem,
  agentId: string,
  moments: Pick<ItemSummary, 'updatedAt' | 'rankedAt'>,
): ItemSummary {
  return { ...item, agentId, ...moments };
}

/** What a restore gives back; the moments of a change are its own. */
const restoredMembers = [
  'kind',
  'fingerprint',
  'tokens',
  'rank',
  'accessCount',
  'createdAt',
  'lastAccessedAt',
  'pinned',
  'archived',
  'finishedAt',
  'weight',
  'source',
  'trust',
  'sessionId',
] as const;

/** Whether an item has all that a restore would give it. */
function isAsItWas(item: ItemSummary, entry: ManifestItem): boolean {
  return restoredMembers.every((name) => item[name] === entry[name]);
}

function moveOf(before: StandingItem, entry: ManifestItem, now: number): ItemMove {
  const { item } = before;
  const isSamePlace = item.rank === entry.rank && item.archived === entry.archived;
  const rankedAt = isSamePlace ? item.rankedAt : now;
  return { before, after: restored(entry, item.agentId, { updatedAt: item.updatedAt, rankedAt }) };
}

/**
 * Decides how items get back to where a manifest has them.
 * Pure; done a second time it changes nothing. Makes one pass over each list.
 */
export function planRestore(input: RestoreInput): RestorePlan {
  const { agentId, manifest, working, archived, contents, now } = input;
  const standing = new Map([...archived, ...working].map((one) => [one.item.id, one]));
  const moves: ItemMove[] = [];
  const returns: ItemReturn[] = [];
  const missing: string[] = [];
  for (const entry of manifest) {
    const before = standing.get(entry.id);
    const content = contents.get(entry.id);
    if (before?.item.fingerprint === entry.fingerprint) {
      if (!isAsItWas(before.item, entry)) moves.push(moveOf(before, entry, now));
    } else if (content === undefined) missing.push(entry.id);
    else {
      const item = restored(entry, agentId, { updatedAt: now, rankedAt: now });
      returns.push({ before, after: { ...item, content } });
    }
  }
  const named = new Set(manifest.map(({ id }) => id));
  const archive = working.filter(({ item }) => !named.has(item.id));
  const unchanged = manifest.length - moves.length - returns.length - missing.length;
  return { moves, returns, archive, missing, unchanged };
}
