import type { CompactionSummary } from '@ctx/core';
import { z } from 'zod';

/** A compaction in a list. */
export interface CompactionEntry {
  /** Number within the session, from 0. */
  readonly sequence: number;
  /** ISO 8601. */
  readonly at: string;
  readonly state: 'applied' | 'undone';
  readonly trigger: string;
  /** What wrote the summary. */
  readonly strategy: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** What `ctx compact --json` answers. */
export interface CompactAnswer {
  readonly store: string;
  readonly session: string;
  /** `nothing`: there was nothing to do. `planned`: with `--dry-run`. `listed`: with `--list`. */
  readonly outcome: 'nothing' | 'planned' | 'compacted' | 'undone' | 'listed';
  /** Entries that leave the history, or have left it; with `undone`, that are in it again. */
  readonly entries?: number;
  /** Entries that stay. */
  readonly keeps?: number;
  /** Entries of which a preview with a pointer stays. */
  readonly offloaded?: number;
  readonly factsDropped?: number;
  readonly tasksPruned?: number;
  /** Whether the history is within its tokens afterwards. */
  readonly fits?: boolean;
  readonly compaction?: CompactionEntry;
  readonly summary?: string;
  /** With `--list`, newest first. */
  readonly compactions?: readonly CompactionEntry[];
}

const count: z.ZodType<number> = z.int().min(0);

export const compactionSchema: z.ZodType<CompactionEntry> = z.object({
  sequence: count,
  at: z.string(),
  state: z.enum(['applied', 'undone']),
  trigger: z.string(),
  strategy: z.string(),
  tokensBefore: count,
  tokensAfter: count,
});

export const compactAnswerSchema: z.ZodType<CompactAnswer> = z.object({
  store: z.string(),
  session: z.string(),
  outcome: z.enum(['nothing', 'planned', 'compacted', 'undone', 'listed']),
  entries: count.exactOptional(),
  keeps: count.exactOptional(),
  offloaded: count.exactOptional(),
  factsDropped: count.exactOptional(),
  tasksPruned: count.exactOptional(),
  fits: z.boolean().exactOptional(),
  compaction: compactionSchema.exactOptional(),
  summary: z.string().exactOptional(),
  compactions: z.array(compactionSchema).exactOptional(),
});

/** Makes the entry of a compaction. */
export function compactionEntryOf(compaction: CompactionSummary): CompactionEntry {
  const { sequence, at, state, trigger, strategy, tokensBefore, tokensAfter } = compaction;
  const time = new Date(at).toISOString();
  return { sequence, at: time, state, trigger, strategy, tokensBefore, tokensAfter };
}
