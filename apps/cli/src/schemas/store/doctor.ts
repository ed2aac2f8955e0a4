import type { Answer } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx doctor --json` answers. */
export const doctorAnswerSchema = z.object({
  isHealthy: z.boolean(),
  checks: z.array(
    z.object({
      name: z.string(),
      status: z.enum(['ok', 'warning', 'problem']),
      found: z.string(),
      /** What to do about it. */
      advice: z.string().exactOptional(),
    }),
  ),
});

export type DoctorAnswer = Answer<typeof doctorAnswerSchema>;

/** One thing that was checked. */
export type DoctorCheck = DoctorAnswer['checks'][number];
