import { type CompactionEntry, compactionEntrySchema } from '@ctx/server/schemas';
import { z } from 'zod';

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
  /** With `nothing`: the history is short enough, or a summary would be no shorter than what it stands for. */
  readonly reason?: 'short-enough' | 'no-shorter';
  /** With `nothing`: the document has no history, and the log so many tokens; `--from-log` takes them in. */
  readonly logTokens?: number;
  /** With `--from-log`: messages of the log that are in the history now, or would be. */
  readonly takenIn?: number;
  /** With `--dry-run` and where it was refused: tokens of the document as it is, and at most afterwards. */
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  /** With `--dry-run`: requests after which it has paid, at most; left out where it may never. */
  readonly breakEvenRequests?: number;
  /** The price that this is about. */
  readonly price?: string;
  readonly compaction?: CompactionEntry;
  readonly summary?: string;
  /** With `--list`, newest first. */
  readonly compactions?: readonly CompactionEntry[];
}

const count: z.ZodType<number> = z.int().min(0);

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
  reason: z.enum(['short-enough', 'no-shorter']).exactOptional(),
  logTokens: count.exactOptional(),
  takenIn: count.exactOptional(),
  tokensBefore: count.exactOptional(),
  tokensAfter: count.exactOptional(),
  breakEvenRequests: count.exactOptional(),
  price: z.string().exactOptional(),
  compaction: compactionEntrySchema.exactOptional(),
  summary: z.string().exactOptional(),
  compactions: z.array(compactionEntrySchema).exactOptional(),
});
