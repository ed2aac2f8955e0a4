import { z } from 'zod';

/** What `ctx stats --json` answers. */
export interface StatsAnswer {
  readonly store: string;
  readonly backend: string;
  readonly sessions: number;
  /** Log entries of all sessions, or of the one that was asked for. */
  readonly events: number;
  readonly eventTokens: number;
  readonly outputs: number;
  readonly outputBytes: number;
  readonly outputTokens: number;
}

export const statsAnswerSchema: z.ZodType<StatsAnswer> = z.object({
  store: z.string(),
  backend: z.string(),
  sessions: z.number(),
  events: z.number(),
  eventTokens: z.number(),
  outputs: z.number(),
  outputBytes: z.number(),
  outputTokens: z.number(),
});
