import * as z from 'zod';
import type { SessionSummary } from '@ctx/store';

/** A session in a list. */
export interface SessionEntry {
  readonly id: string;
  readonly title?: string;
  readonly source?: string;
  readonly agentId?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Last activity, ISO 8601. */
  readonly updatedAt: string;
}

export const sessionEntrySchema: z.ZodType<SessionEntry> = z.object({
  id: z.string(),
  title: z.string().exactOptional(),
  source: z.string().exactOptional(),
  agentId: z.string().exactOptional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

/** Makes the entry of a session. */
export function sessionEntryOf(session: SessionSummary): SessionEntry {
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
