import { z } from 'zod';

/** How far a purge is. */
export interface PurgeStatus {
  readonly id: string;
  /** `planning`, `working` or `ended`. */
  readonly stage: string;
  /** What is destroyed; empty where it ended. */
  readonly what: string;
  /** ms since the epoch. */
  readonly startedAt: number;
  readonly endedAt?: number;
  /** What was planned; 0 until then. */
  readonly records: number;
  readonly batches: number;
  readonly recordsLeft: number;
  readonly batchesLeft: number;
  /** Processes that are at it now. */
  readonly workers: number;
}

/** What `ctx purge --json` answers. */
export interface PurgeAnswer {
  readonly store: string;
  readonly tenant: string;
  /** `planned`: nothing was done; `purged`; `nothing` where there was nothing to destroy; `status` where that was asked for. */
  readonly outcome: string;
  readonly sessions: readonly string[];
  /** Records by collection. */
  readonly records: Readonly<Record<string, number>>;
  /** Sessions that were forked from those: they hold copies of what was said. */
  readonly forks: readonly string[];
  /** Files of the quarantine that went, too. */
  readonly quarantineFiles: number;
  /** Whether no byte is left in the files of the store. False while somebody else has them open: run it again then. */
  readonly traceless?: boolean;
  /** Batches that this process did; servers over the store may have done others. */
  readonly batches?: number;
  /** With `--status`: those that go on, and those that ended within 30 days. */
  readonly purges?: readonly PurgeStatus[];
}

const count: z.ZodType<number> = z.int().min(0);

const status: z.ZodType<PurgeStatus> = z.object({
  id: z.string(),
  stage: z.string(),
  what: z.string(),
  startedAt: count,
  endedAt: count.exactOptional(),
  records: count,
  batches: count,
  recordsLeft: count,
  batchesLeft: count,
  workers: count,
});

export const purgeAnswerSchema: z.ZodType<PurgeAnswer> = z.object({
  store: z.string(),
  tenant: z.string(),
  outcome: z.string(),
  sessions: z.array(z.string()),
  records: z.record(z.string(), count),
  forks: z.array(z.string()),
  quarantineFiles: count,
  traceless: z.boolean().exactOptional(),
  batches: count.exactOptional(),
  purges: z.array(status).exactOptional(),
});
