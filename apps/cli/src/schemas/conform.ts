import { z } from 'zod';

/** What became of one case. */
export interface ConformEntry {
  readonly id: string;
  readonly group: string;
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped. */
  readonly reason?: string;
  /** What went wrong. */
  readonly error?: string;
}

/** What `ctx conform --json` answers. */
export interface ConformAnswer {
  readonly module: string;
  readonly backend: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly cases: readonly ConformEntry[];
}

export const conformAnswerSchema: z.ZodType<ConformAnswer> = z.object({
  module: z.string(),
  backend: z.string(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  cases: z.array(
    z.object({
      id: z.string(),
      group: z.string(),
      name: z.string(),
      status: z.enum(['passed', 'failed', 'skipped']),
      reason: z.string().exactOptional(),
      error: z.string().exactOptional(),
    }),
  ),
});
