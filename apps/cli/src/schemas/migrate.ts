import { z } from 'zod';

/** What `ctx migrate --json` answers. */
export interface MigrateAnswer {
  readonly from: string;
  readonly to: string;
  readonly tenants: number;
  readonly copied: number;
  /** Records that stood in the target already, equal. */
  readonly unchanged: number;
  /** Records compared; missing without --verify. */
  readonly verified?: number;
  /** Records that differ, at most 100; empty means identical. */
  readonly differences: readonly string[];
}

export const migrateAnswerSchema: z.ZodType<MigrateAnswer> = z.object({
  from: z.string(),
  to: z.string(),
  tenants: z.number(),
  copied: z.number(),
  unchanged: z.number(),
  verified: z.number().exactOptional(),
  differences: z.array(z.string()),
});
