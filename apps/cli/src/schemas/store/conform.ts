import type { Answer } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx conform --json` answers. */
export const conformAnswerSchema = z.object({
  /** Path of the module, or the URL of the store without its password. */
  tested: z.string(),
  backend: z.string(),
  passed: z.number(),
  failed: z.number(),
  /** Abilities that the backend does not promise. */
  notOffered: z.array(z.string()),
  cases: z.array(
    z.object({
      id: z.string(),
      group: z.string(),
      name: z.string(),
      status: z.enum(['passed', 'failed']),
      /** What went wrong. */
      error: z.string().exactOptional(),
    }),
  ),
});

export type ConformAnswer = Answer<typeof conformAnswerSchema>;

/** What became of one case. */
export type ConformEntry = ConformAnswer['cases'][number];
