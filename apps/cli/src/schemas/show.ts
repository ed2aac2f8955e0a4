import {
  type LogEntry,
  logEntrySchema,
  type SessionEntry,
  sessionEntrySchema,
} from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx show --json` answers. */
export interface ShowAnswer {
  readonly store: string;
  readonly session: SessionEntry;
  /** The session document (facts, summary, tasks, statistics). */
  readonly document: unknown;
  readonly totals: {
    readonly events: number;
    readonly tokens: number;
    readonly outputs: number;
    readonly outputBytes: number;
    readonly outputTokens: number;
  };
  readonly events: readonly LogEntry[];
  /** Give it as `--from` to read on; missing at the end. */
  readonly next?: number;
}

export const showAnswerSchema: z.ZodType<ShowAnswer> = z.object({
  store: z.string(),
  session: sessionEntrySchema,
  document: z.unknown(),
  totals: z.object({
    events: z.number(),
    tokens: z.number(),
    outputs: z.number(),
    outputBytes: z.number(),
    outputTokens: z.number(),
  }),
  events: z.array(logEntrySchema),
  next: z.number().exactOptional(),
});
