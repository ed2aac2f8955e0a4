import { z } from 'zod';

/** What became of one case. */
export interface ConformEntry {
  readonly id: string;
  readonly group: string;
  readonly name: string;
  readonly status: 'passed' | 'failed';
  /** What went wrong. */
  readonly error?: string;
}

/** What `ctx conform --json` answers. */
export interface ConformAnswer {
  /** Path of the module, or the URL of the store without its password. */
  readonly tested: string;
  readonly backend: string;
  readonly passed: number;
  readonly failed: number;
  /** Abilities that the backend does not promise. */
  readonly notOffered: readonly string[];
  readonly cases: readonly ConformEntry[];
}

export const conformAnswerSchema: z.ZodType<ConformAnswer> = z.object({
  tested: z.string(),
  backend: z.string(),
  passed: z.number(),
  failed: z.number(),
  notOffered: z.array(z.string()),
  cases: z.array(
    z.object({
      id: z.string(),
      group: z.string(),
      name: z.string(),
      status: z.enum(['passed', 'failed']),
      error: z.string().exactOptional(),
    }),
  ),
});
