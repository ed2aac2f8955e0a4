import type { Answer } from '@ctx/server/schemas';
import { z } from 'zod';

const count = z.number().min(0);
/** A number of items or segments, and their tokens. */
const counted = z.object({ name: z.string(), count, tokens: count });

export type TopCount = Answer<typeof counted>;

/** What `ctx top --json` answers: one moment of a session. */
export const topAnswerSchema = z.object({
  store: z.string(),
  session: z.string(),
  title: z.string().exactOptional(),
  agent: z.string(),
  updatedAt: z.string(),
  window: z.object({
    /** `window`: of the window that the agent keeps in the store; `agent`: as its hooks told; `log`: all that was ever logged. */
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

export type TopAnswer = Answer<typeof topAnswerSchema>;

/** An entry of the log. */
export type TopEvent = TopAnswer['events'][number];
