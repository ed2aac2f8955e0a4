import type { SessionSummary } from '@ctx/core';
import { z } from 'zod';

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

/** What `ctx sessions --json` answers. */
export interface SessionsAnswer {
  readonly store: string;
  /** Newest activity first. */
  readonly sessions: readonly SessionEntry[];
  /** Give it as `--after` to read on; missing at the end. */
  readonly next?: string;
}

export const sessionEntrySchema: z.ZodType<SessionEntry> = z.object({
  id: z.string(),
  title: z.string().exactOptional(),
  source: z.string().exactOptional(),
  agentId: z.string().exactOptional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export const sessionsAnswerSchema: z.ZodType<SessionsAnswer> = z.object({
  store: z.string(),
  sessions: z.array(sessionEntrySchema),
  next: z.string().exactOptional(),
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
