import { type Answer, entrySchemas } from '@ctx/server/schemas';
import { z } from 'zod';

const count = z.int().min(0);

/** What `ctx compact --json` answers. */
export const compactAnswerSchema = z.object({
  store: z.string(),
  session: z.string(),
  /** `nothing`: there was nothing to do. `planned`: with `--dry-run`. `listed`: with `--list`. */
  outcome: z.enum(['nothing', 'planned', 'compacted', 'undone', 'listed']),
  /** Entries that leave the history, or have left it; with `undone`, that are in it again. */
  entries: count.exactOptional(),
  /** Entries that stay. */
  keeps: count.exactOptional(),
  /** Entries of which a preview with a pointer stays. */
  offloaded: count.exactOptional(),
  factsDropped: count.exactOptional(),
  tasksPruned: count.exactOptional(),
  /** Whether the history is within its tokens afterwards. */
  fits: z.boolean().exactOptional(),
  /** With `nothing`: the history is short enough, or a summary would be no shorter than what it stands for. */
  reason: z.enum(['short-enough', 'no-shorter']).exactOptional(),
  /** With `nothing`: the document has no history, and the log so many tokens; `--from-log` takes them in. */
  logTokens: count.exactOptional(),
  /** With `--from-log`: messages of the log that are in the history now, or would be. */
  takenIn: count.exactOptional(),
  /** With `--dry-run` and where it was refused: tokens of the document as it is, and at most afterwards. */
  tokensBefore: count.exactOptional(),
  tokensAfter: count.exactOptional(),
  /** With `--dry-run`: requests after which it has paid, at most; left out where it may never. */
  breakEvenRequests: count.exactOptional(),
  /** The price that this is about. */
  price: z.string().exactOptional(),
  compaction: entrySchemas.compaction.exactOptional(),
  summary: z.string().exactOptional(),
  /** With `--list`, newest first. */
  compactions: z.array(entrySchemas.compaction).exactOptional(),
});

export type CompactAnswer = Answer<typeof compactAnswerSchema>;
