import * as z from 'zod';
import type { CompactionSummary } from '@ctx/store';

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

const count: z.ZodType<number> = z.int().min(0);

export const compactionEntrySchema: z.ZodType<CompactionEntry> = z.object({
  sequence: count,
  at: z.string(),
  state: z.enum(['applied', 'undone']),
  trigger: z.string(),
  strategy: z.string(),
  tokensBefore: count,
  tokensAfter: count,
});

/** Makes the entry of a compaction. */
export function compactionEntryOf(compaction: CompactionSummary): CompactionEntry {
  const { sequence, at, state, trigger, strategy, tokensBefore, tokensAfter } = compaction;
  const time = new Date(at).toISOString();
  return { sequence, at: time, state, trigger, strategy, tokensBefore, tokensAfter };
}
