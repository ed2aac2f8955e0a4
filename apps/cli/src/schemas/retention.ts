import { z } from 'zod';

/** One limit, and who set it. */
export interface RetentionRule {
  readonly rule: string;
  /** Missing where there is no limit. */
  readonly value?: string;
  /** `flag`, `project`, `user` or `default`. */
  readonly origin: string;
}

/** What `ctx retention --json` answers. */
export interface RetentionAnswer {
  readonly store: string;
  /** `planned`: nothing was done; `done`; `nothing` where nothing is beyond the limits; `set` where a config file was written. */
  readonly outcome: string;
  readonly policy: readonly RetentionRule[];
  /** The file that was written. */
  readonly wrote?: string;
  readonly outputs: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** Pinned outputs that stay all the same. */
  readonly keptPinned: number;
  readonly checkpoints: number;
  readonly traceless?: boolean;
}

const count: z.ZodType<number> = z.int().min(0);

export const retentionAnswerSchema: z.ZodType<RetentionAnswer> = z.object({
  store: z.string(),
  outcome: z.string(),
  policy: z.array(
    z.object({ rule: z.string(), value: z.string().exactOptional(), origin: z.string() }),
  ),
  wrote: z.string().exactOptional(),
  outputs: count,
  bytesBefore: count,
  bytesAfter: count,
  keptPinned: count,
  checkpoints: count,
  traceless: z.boolean().exactOptional(),
});
