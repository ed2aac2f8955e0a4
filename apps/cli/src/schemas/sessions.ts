import { type SessionEntry, sessionEntrySchema } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx sessions --json` answers. */
export interface SessionsAnswer {
  readonly store: string;
  /** Newest activity first. */
  readonly sessions: readonly SessionEntry[];
  /** Give it as `--after` to read on; missing at the end. */
  readonly next?: string;
}

export const sessionsAnswerSchema: z.ZodType<SessionsAnswer> = z.object({
  store: z.string(),
  sessions: z.array(sessionEntrySchema),
  next: z.string().exactOptional(),
});
