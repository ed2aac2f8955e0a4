import type { Answer } from '@ctx/server/schemas';
import { z } from 'zod';

const count = z.int().min(0);

/** What `ctx retention --json` answers. */
export const retentionAnswerSchema = z.object({
  store: z.string(),
  /** `planned`: nothing was done; `done`; `nothing` where nothing is beyond the limits; `set` where a config file was written. */
  outcome: z.string(),
  policy: z.array(
    z.object({
      rule: z.string() /** Missing where there is no limit. */,
      value: z.string().exactOptional() /** `flag`, `project`, `user` or `default`. */,
      origin: z.string(),
    }),
  ),
  /** The file that was written. */
  wrote: z.string().exactOptional(),
  outputs: count,
  bytesBefore: count,
  bytesAfter: count,
  /** Pinned outputs that stay all the same. */
  keptPinned: count,
  checkpoints: count,
  traceless: z.boolean().exactOptional(),
});

export type RetentionAnswer = Answer<typeof retentionAnswerSchema>;

/** One limit, and who set it. */
export type RetentionRule = RetentionAnswer['policy'][number];
