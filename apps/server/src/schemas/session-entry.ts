import type { Session } from '@ctx/store';
import * as z from 'zod';
import type { Answer } from './answer.ts';

/** A session in a list. */
export const sessionEntrySchema = z.object({
  id: z.string(),
  title: z.string().exactOptional(),
  source: z.string().exactOptional(),
  agentId: z.string().exactOptional(),
  /** ISO 8601. */
  createdAt: z.string(),
  /** Last activity, ISO 8601. */
  updatedAt: z.string(),
});

export type SessionEntry = Answer<typeof sessionEntrySchema>;

/** Makes the entry of a session. */
export function sessionEntryOf(session: Omit<Session, 'document'>): SessionEntry {
  const { id, title, source, agentId, createdAt, updatedAt } = session;
  return {
    id,
    ...(title === undefined ? {} : { title }),
    ...(source === undefined ? {} : { source }),
    ...(agentId === undefined ? {} : { agentId }),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}
