import type { ContextItem, ItemSummary } from '@ctx/core';
import { rankOf, type Tier, tierOf } from '@ctx/core';
import { asTouched, type ChangeContext } from '../agent-clock.ts';
import type { ItemDraft } from './draft-item.ts';
import { ranked } from './plan-change.ts';

/**
 * What a save did. `created`: there was none of this id. `replaced`: the content or kind is another now.
 * `refreshed`: it says what it said, and counts as of use now.
 */
export type SaveOutcome = 'created' | 'replaced' | 'refreshed';

/** What a save did, and where the item stands. */
export interface ItemSaved {
  readonly item: ContextItem;
  readonly outcome: SaveOutcome;
  readonly tier: Tier;
  /** The tier at the same moment, had the call not been; missing for a new item. */
  readonly tierBefore?: Tier;
}

/** A save that is decided. */
export interface SavePlan {
  readonly item: ContextItem;
  readonly outcome: SaveOutcome;
}

function createdItem(draft: ItemDraft, id: string, context: ChangeContext): ContextItem {
  const { now, policy } = context;
  const { kind, pinned = false, weight, sessionId } = draft;
  const moments = asTouched({ createdAt: now, lastAccessedAt: now }, context);
  const given = { kind, pinned, accessCount: 0, ...moments };
  const item: ContextItem = {
    id,
    agentId: draft.agentId,
    kind,
    content: draft.content,
    fingerprint: draft.fingerprint,
    tokens: draft.tokens,
    source: draft.source,
    trust: draft.trust,
    createdAt: now,
    updatedAt: now,
    lastAccessedAt: now,
    rankedAt: now,
    accessCount: 0,
    pinned,
    archived: false,
    rank: rankOf(weight === undefined ? given : { ...given, weight }, policy),
  };
  const rated = weight === undefined ? item : { ...item, weight };
  return sessionId === undefined ? rated : { ...rated, sessionId };
}

/** Saving an item says that it matters now: it counts as of use, is no longer finished and no longer archived. */
function revived(before: ItemSummary, draft: ItemDraft, now: number): ItemSummary {
  const { finishedAt: _finished, weight: oldWeight, ...rest } = before;
  // The weight of another kind says nothing of this one.
  const weight = draft.weight ?? (draft.kind === before.kind ? oldWeight : undefined);
  return {
    ...rest,
    kind: draft.kind,
    pinned: draft.pinned ?? before.pinned,
    archived: false,
    lastAccessedAt: Math.max(now, before.lastAccessedAt),
    ...(weight === undefined ? {} : { weight }),
  };
}

/** Only the word of user or developer makes doubtful content a certain one. */
function refreshedItem(before: ItemSummary, draft: ItemDraft, context: ChangeContext): ContextItem {
  const kept = revived(before, draft, context.now);
  const { source, trust } = draft.trust === 'trusted' ? draft : before;
  return ranked({ ...kept, source, trust, content: draft.content }, before, context);
}

function replacedItem(before: ItemSummary, draft: ItemDraft, context: ChangeContext): ContextItem {
  const { sessionId: _session, ...kept } = revived(before, draft, context.now);
  const { content, fingerprint, tokens, source, trust, sessionId } = draft;
  const said = { content, fingerprint, tokens, source, trust };
  const updatedAt = Math.max(context.now, before.updatedAt);
  const session = sessionId === undefined ? {} : { sessionId };
  return ranked({ ...kept, ...said, ...session, updatedAt }, before, context);
}

/**
 * Decides what a save makes of an item. `id` is for one that has none yet.
 * Pure; the same draft twice is `refreshed` the second time, and only moments differ.
 */
export function planSave(
  draft: ItemDraft,
  { before, id }: { readonly before: ItemSummary | undefined; readonly id: string },
  context: ChangeContext,
): SavePlan {
  if (before === undefined) return { outcome: 'created', item: createdItem(draft, id, context) };
  const isSame = before.fingerprint === draft.fingerprint && before.kind === draft.kind;
  return isSame
    ? { outcome: 'refreshed', item: refreshedItem(before, draft, context) }
    : { outcome: 'replaced', item: replacedItem(before, draft, context) };
}

/** The receipt of a save. */
export function savedOf(
  { item, outcome }: SavePlan,
  before: ItemSummary | undefined,
  { agentNow, policy }: ChangeContext,
): ItemSaved {
  const tier = tierOf(item.rank, agentNow, policy);
  if (before === undefined) return { item, outcome, tier };
  return { item, outcome, tier, tierBefore: tierOf(before.rank, agentNow, policy) };
}
