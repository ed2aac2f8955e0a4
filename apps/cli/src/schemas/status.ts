import {
  type CompactionEntry,
  compactionEntrySchema,
  type SessionEntry,
  sessionEntrySchema,
} from '@ctx/server/schemas';
import { z } from 'zod';
import { type UsedPart, usedParts } from '../status/context-use.ts';

/** Where the tokens of a session's window go. Sizes in tokens. */
export interface StatusContext {
  /** `window`: a window of ctx, as it stands. `transcript`: what the imported conversation's agent showed its model last. */
  readonly source: 'window' | 'transcript';
  readonly windowTokens: number;
  /** Whether nothing told how large the window is. */
  readonly isAssumed: boolean;
  /** All that is used. */
  readonly tokens: number;
  /** What uses it; `fixed` is system prompt and tools together. Parts with nothing are left out. */
  readonly parts: readonly { readonly part: UsedPart; readonly tokens: number }[];
  readonly freeTokens: number;
  /** Room that is kept for the answer. */
  readonly reserveTokens: number;
}

/** What `ctx status --json` answers: what is kept in mind of one session. */
export interface StatusAnswer {
  readonly store: string;
  readonly session: SessionEntry;
  /** What the session's log holds; nothing of it is in mind unless an agent or a compaction took it in. */
  readonly log: { readonly events: number; readonly tokens: number };
  /** How full the window was at the newest request that is known, and what hooks kept out of it. */
  readonly window?: {
    readonly usedTokens: number;
    readonly windowTokens?: number;
    readonly offloaded: number;
    readonly savedTokens: number;
  };
  /** Where the tokens go; missing where the log holds no conversation. */
  readonly context?: StatusContext;
  /** The agent's items by tier. */
  readonly tiers: readonly {
    readonly tier: string;
    readonly items: number;
    readonly tokens: number;
  }[];
  /** The transcript that it was imported from. */
  readonly imported?: { readonly path: string; readonly format: string };
  readonly history: { readonly entries: number; readonly tokens: number; readonly pinned: number };
  readonly summary: { readonly tokens: number; readonly trust: string };
  readonly facts: { readonly count: number; readonly pinned: number; readonly superseded: number };
  readonly tasks: { readonly running: number; readonly over: number };
  readonly plans: number;
  readonly toolCalls: {
    readonly total: number;
    readonly failures: number;
    readonly byTool: Readonly<Record<string, number>>;
  };
  readonly tokenUsage: { readonly input: number; readonly output: number };
  readonly workspace?: string;
  /** What would begin a compaction now; missing where none is due. */
  readonly compactionDue?: string;
  readonly lastCompaction?: CompactionEntry;
}

const count: z.ZodType<number> = z.number().min(0);

const contextSchema: z.ZodType<StatusContext> = z.object({
  source: z.enum(['window', 'transcript']),
  windowTokens: count,
  isAssumed: z.boolean(),
  tokens: count,
  parts: z.array(z.object({ part: z.enum(usedParts), tokens: count })),
  freeTokens: count,
  reserveTokens: count,
});

export const statusAnswerSchema: z.ZodType<StatusAnswer> = z.object({
  store: z.string(),
  session: sessionEntrySchema,
  log: z.object({ events: count, tokens: count }),
  window: z
    .object({
      usedTokens: count,
      windowTokens: count.exactOptional(),
      offloaded: count,
      savedTokens: count,
    })
    .exactOptional(),
  context: contextSchema.exactOptional(),
  tiers: z.array(z.object({ tier: z.string(), items: count, tokens: count })),
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
  compactionDue: z.string().exactOptional(),
  lastCompaction: compactionEntrySchema.exactOptional(),
});
