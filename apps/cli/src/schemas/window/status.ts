import { usedParts } from '@ctx/replay';
import { type Answer, entrySchemas } from '@ctx/server/schemas';
import { z } from 'zod';

const count = z.number().min(0);

/** Where the tokens of a session's window go. Sizes in tokens. */
const contextSchema = z.object({
  /** `window`: a window of ctx, as it stands. `transcript`: what the imported conversation's agent showed its model last. */
  source: z.enum(['window', 'transcript']),
  windowTokens: count,
  /** Whether nothing told how large the window is. */
  isAssumed: z.boolean(),
  /** All that is used. */
  tokens: count,
  /** What uses it; `fixed` is system prompt and tools together. Parts with nothing are left out. */
  parts: z.array(z.object({ part: z.enum(usedParts), tokens: count })),
  freeTokens: count,
  /** Room that is kept for the answer. */
  reserveTokens: count,
});

export type StatusContext = Answer<typeof contextSchema>;

/** What `ctx status --json` answers: what is kept in mind of one session. */
export const statusAnswerSchema = z.object({
  store: z.string(),
  session: entrySchemas.session,
  /** What the session's log holds; nothing of it is in mind unless an agent or a compaction took it in. */
  log: z.object({ events: count, tokens: count }),
  /** How full the window was at the newest request that is known, and what hooks kept out of it. */
  window: z
    .object({
      usedTokens: count,
      windowTokens: count.exactOptional(),
      offloaded: count,
      savedTokens: count,
    })
    .exactOptional(),
  /** Where the tokens go; missing where the log holds no conversation. */
  context: contextSchema.exactOptional(),
  /** The agent's items by tier. */
  tiers: z.array(z.object({ tier: z.string(), items: count, tokens: count })),
  /** The transcript that it was imported from. */
  imported: z.object({ path: z.string(), format: z.string() }).exactOptional(),
  history: z.object({ entries: count, tokens: count, pinned: count }),
  summary: z.object({ tokens: count, trust: z.string() }),
  facts: z.object({ count, pinned: count, superseded: count }),
  tasks: z.object({ running: count, over: count }),
  plans: count,
  toolCalls: z.object({
    total: count,
    failures: count,
    byTool: z.record(z.string(), count),
  }),
  tokenUsage: z.object({ input: count, output: count }),
  workspace: z.string().exactOptional(),
  /** What would begin a compaction now; missing where none is due. */
  compactionDue: z.string().exactOptional(),
  lastCompaction: entrySchemas.compaction.exactOptional(),
});

export type StatusAnswer = Answer<typeof statusAnswerSchema>;
