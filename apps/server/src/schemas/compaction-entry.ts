import type { SessionCompaction } from '@ctx/store';
import * as z from 'zod';
import type { Answer } from './answer.ts';

const count = z.int().min(0);

/** A compaction in a list. */
export const compactionEntrySchema = z.object({
  /** Number within the session, from 0. */
  sequence: count,
  /** ISO 8601. */
  at: z.string(),
  state: z.enum(['applied', 'undone']),
  trigger: z.string(),
  /** What wrote the summary. */
  strategy: z.string(),
  tokensBefore: count,
  tokensAfter: count,
});

export type CompactionEntry = Answer<typeof compactionEntrySchema>;

type CompactionFacts = Pick<SessionCompaction, keyof CompactionEntry>;

/** Makes the entry of a compaction. */
export function compactionEntryOf(compaction: CompactionFacts): CompactionEntry {
  const { sequence, at, state, trigger, strategy, tokensBefore, tokensAfter } = compaction;
  const time = new Date(at).toISOString();
  return { sequence, at: time, state, trigger, strategy, tokensBefore, tokensAfter };
}
