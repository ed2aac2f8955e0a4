import { z } from 'zod';
import { type SessionEntry, sessionEntrySchema } from './sessions.ts';

/** One entry of a session's log. */
export interface ShownEvent {
  readonly sequence: number;
  readonly type: string;
  /** ISO 8601. */
  readonly at: string;
  readonly tokens: number;
  /** What was logged; tool results stand in it as pointers. */
  readonly payload: unknown;
}

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
  readonly events: readonly ShownEvent[];
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
  events: z.array(
    z.object({
      sequence: z.number(),
      type: z.string(),
      at: z.string(),
      tokens: z.number(),
      payload: z.unknown(),
    }),
  ),
  next: z.number().exactOptional(),
});
