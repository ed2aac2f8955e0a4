import type { Answer } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx migrate --json` answers. */
export const migrateAnswerSchema = z.object({
  from: z.string(),
  to: z.string(),
  tenants: z.number(),
  copied: z.number(),
  /** Records that stood in the target already, equal. */
  unchanged: z.number(),
  /** Records compared; missing without --verify. */
  verified: z.number().exactOptional(),
  /** What the source says of each record that could not be copied, at most 100. */
  unreadable: z.array(z.string()),
  /** Records that differ, at most 100; empty means identical. */
  differences: z.array(z.string()),
});

export type MigrateAnswer = Answer<typeof migrateAnswerSchema>;
