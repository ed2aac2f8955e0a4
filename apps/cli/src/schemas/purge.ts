import { z } from 'zod';

/** What `ctx purge --json` answers. */
export interface PurgeAnswer {
  readonly store: string;
  readonly tenant: string;
  /** `planned`: nothing was done; `purged`; `nothing` where there was nothing to destroy. */
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
}

const count: z.ZodType<number> = z.int().min(0);

export const purgeAnswerSchema: z.ZodType<PurgeAnswer> = z.object({
  store: z.string(),
  tenant: z.string(),
  outcome: z.string(),
  sessions: z.array(z.string()),
  records: z.record(z.string(), count),
  forks: z.array(z.string()),
  quarantineFiles: count,
  traceless: z.boolean().exactOptional(),
});
