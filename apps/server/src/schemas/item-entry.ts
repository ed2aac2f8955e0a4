import type { ContextItem, ImportanceParts, ItemSummary } from '@ctx/core';
import * as z from 'zod';
import type { Answer } from './answer.ts';

const members = {
  id: z.string(),
  agentId: z.string(),
  kind: z.string(),
  tier: z.enum(['hot', 'warm', 'cold']),
  importance: z.number(),
  tokens: z.number(),
  accessCount: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  lastAccessedAt: z.string(),
  pinned: z.boolean(),
  archived: z.boolean(),
  finishedAt: z.string().exactOptional(),
  source: z.string(),
  trust: z.enum(['trusted', 'derived', 'untrusted']),
  sessionId: z.string().exactOptional(),
  fingerprint: z.string(),
  content: z.string().exactOptional(),
};

/** An item in a list, with where it stands at the moment of the answer. */
export const itemEntrySchema = z.object(members);

export type ItemEntry = Answer<typeof itemEntrySchema>;

/** When an item was saved, changed and used, as texts. Most often that is one moment, and texts of moments are most of what a list costs. */
function momentsOf({ createdAt, updatedAt, lastAccessedAt }: ItemSummary) {
  const created = new Date(createdAt).toISOString();
  const of = (at: number): string => (at === createdAt ? created : new Date(at).toISOString());
  return { createdAt: created, updatedAt: of(updatedAt), lastAccessedAt: of(lastAccessedAt) };
}

/** Makes the entry of an item, or of what is known of one without its content. */
export function itemEntryOf(
  item: ItemSummary & Partial<Pick<ContextItem, 'content'>>,
  { tier, importance }: Pick<ImportanceParts, 'tier' | 'importance'>,
): ItemEntry {
  const { finishedAt, sessionId, content } = item;
  return {
    id: item.id,
    agentId: item.agentId,
    kind: item.kind,
    tier,
    importance,
    tokens: item.tokens,
    accessCount: item.accessCount,
    ...momentsOf(item),
    pinned: item.pinned,
    archived: item.archived,
    ...(finishedAt === undefined ? {} : { finishedAt: new Date(finishedAt).toISOString() }),
    source: item.source,
    trust: item.trust,
    ...(sessionId === undefined ? {} : { sessionId }),
    fingerprint: item.fingerprint,
    ...(content === undefined ? {} : { content }),
  };
}
