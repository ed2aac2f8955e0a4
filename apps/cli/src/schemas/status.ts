import {
  type CompactionEntry,
  compactionEntrySchema,
  type SessionEntry,
  sessionEntrySchema,
} from '@ctx/core/schemas';
import { z } from 'zod';

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
