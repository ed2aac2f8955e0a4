import { z } from 'zod';

/** A number of items or segments, and their tokens. */
export interface TopCount {
  readonly name: string;
  readonly count: number;
  readonly tokens: number;
}

/** A flush or compaction: the window before and after. */
export interface TopFlush {
  readonly at: string;
  readonly trigger: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** An entry of the log. */
export interface TopEvent {
  readonly sequence: number;
  readonly at: string;
  readonly type: string;
  readonly tokens: number;
  /** What it says, without content. */
  readonly detail: string;
}

/** What `ctx top --json` answers: one moment of a session. */
export interface TopAnswer {
  readonly store: string;
  readonly session: string;
  readonly title?: string;
  readonly agent: string;
  readonly updatedAt: string;
  readonly window: {
    /** `window`: of the window that the agent keeps in the store; `agent`: as its hooks told; `log`: all that was ever logged. */
    readonly from: string;
    readonly tokens: number;
    readonly limitTokens: number;
    readonly requests: number;
    /** Segments in view and out of it, by what became of them. */
    readonly states: readonly TopCount[];
  };
  readonly tiers: readonly TopCount[];
  readonly outputs: { readonly count: number; readonly tokens: number; readonly bytes: number };
  /** Newest first. */
  readonly flushes: readonly TopFlush[];
  /** Newest first. */
  readonly events: readonly TopEvent[];
  readonly logged: { readonly events: number; readonly tokens: number };
}

const count: z.ZodType<number> = z.number().min(0);
const counted: z.ZodType<TopCount> = z.object({ name: z.string(), count, tokens: count });

export const topAnswerSchema: z.ZodType<TopAnswer> = z.object({
  store: z.string(),
  session: z.string(),
  title: z.string().exactOptional(),
  agent: z.string(),
  updatedAt: z.string(),
  window: z.object({
    from: z.string(),
    tokens: count,
    limitTokens: count,
    requests: count,
    states: z.array(counted),
  }),
  tiers: z.array(counted),
  outputs: z.object({ count, tokens: count, bytes: count }),
  flushes: z.array(
    z.object({ at: z.string(), trigger: z.string(), tokensBefore: count, tokensAfter: count }),
  ),
  events: z.array(
    z.object({
      sequence: count,
      at: z.string(),
      type: z.string(),
      tokens: count,
      detail: z.string(),
    }),
  ),
  logged: z.object({ events: count, tokens: count }),
});
