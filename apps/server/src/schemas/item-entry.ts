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

const dayMs = 86_400_000;
/** The day of the moment that was written last, and its text up to the hours. */
let lastDay = { day: Number.NaN, text: '' };

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0');

/** As `toISOString` writes it, but a day is written once: texts of moments were most of what a list costs. */
export function momentText(at: number): string {
  const day = Math.floor(at / dayMs);
  if (day !== lastDay.day) {
    lastDay = { day, text: new Date(day * dayMs).toISOString().slice(0, -13) };
  }
  const ms = Math.trunc(at) - day * dayMs;
  const hours = padded(Math.floor(ms / 3_600_000), 2);
  const minutes = padded(Math.floor(ms / 60_000) % 60, 2);
  const seconds = padded(Math.floor(ms / 1000) % 60, 2);
  return `${lastDay.text}${hours}:${minutes}:${seconds}.${padded(ms % 1000, 3)}Z`;
}

/** When an item was saved, changed and used, as texts. Most often that is one moment. */
function momentsOf({ createdAt, updatedAt, lastAccessedAt }: ItemSummary) {
  const created = momentText(createdAt);
  const of = (at: number): string => (at === createdAt ? created : momentText(at));
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
