import { z } from 'zod';

const count = z.number().min(0);
/** A number of items or segments, and their tokens. */
const counted = z.object({ name: z.string(), count, tokens: count });

export type TopCount = z.infer<typeof counted>;

/** One moment of a session. */
export const topMomentSchema = z.object({
  session: z.string(),
  title: z.string().exactOptional(),
  agent: z.string(),
  updatedAt: z.string(),
  window: z.object({
    /** `window`: of the window that the agent keeps in the store; `watched`: as a proxy passed it on; `agent`: as its hooks told; `log`: all that was ever logged. */
    from: z.string(),
    tokens: count,
    limitTokens: count,
    requests: count,
    /** Segments in view and out of it, by what became of them. */
    states: z.array(counted),
  }),
  tiers: z.array(counted),
  outputs: z.object({ count, tokens: count, bytes: count }),
  /** Newest first. */
  flushes: z.array(
    z.object({ at: z.string(), trigger: z.string(), tokensBefore: count, tokensAfter: count }),
  ),
  /** Newest first. */
  events: z.array(
    z.object({
      sequence: count,
      at: z.string(),
      type: z.string(),
      tokens: count,
      /** What it says, without content. */
      detail: z.string(),
    }),
  ),
  logged: z.object({ events: count, tokens: count }),
});

export type TopMoment = z.infer<typeof topMomentSchema>;

/** An entry of the log. */
export type TopEvent = TopMoment['events'][number];
