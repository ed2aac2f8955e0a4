import type { Answer } from '@ctx/server/schemas';
import { z } from 'zod';

const count = z.int().min(0);

/** How far a purge is. */
const status = z.object({
  id: z.string(),
  /** `planning`, `working` or `ended`. */
  stage: z.string(),
  /** What is destroyed; empty where it ended. */
  what: z.string(),
  /** ms since the epoch. */
  startedAt: count,
  endedAt: count.exactOptional(),
  /** What was planned; 0 until then. */
  records: count,
  batches: count,
  recordsLeft: count,
  batchesLeft: count,
  /** Processes that are at it now. */
  workers: count,
});

export type PurgeStatus = Answer<typeof status>;

/** What `ctx purge --json` answers. */
export const purgeAnswerSchema = z.object({
  store: z.string(),
  tenant: z.string(),
  /** `planned`: nothing was done; `purged`; `nothing` where there was nothing to destroy; `status` where that was asked for. */
  outcome: z.string(),
  sessions: z.array(z.string()),
  /** Records by collection. */
  records: z.record(z.string(), count),
  /** Sessions that were forked from those: they hold copies of what was said. */
  forks: z.array(z.string()),
  /** Files of the quarantine that went, too. */
  quarantineFiles: count,
  /** Whether no byte is left in the files of the store. False while somebody else has them open: run it again then. */
  traceless: z.boolean().exactOptional(),
  /** Batches that this process did; servers over the store may have done others. */
  batches: count.exactOptional(),
  /** With `--status`: those that go on, and those that ended within 30 days. */
  purges: z.array(status).exactOptional(),
});

export type PurgeAnswer = Answer<typeof purgeAnswerSchema>;
