import type { Answer } from '@ctx/server/schemas';
import { z } from 'zod';

/** What a repair of a database did: `lost` are records that its index of keys names and that did not come back. */
const repairSchema = z.object({
  how: z.enum(['none', 'mended', 'recovered']),
  damage: z.array(z.string()),
  /** Where the damaged file is kept. */
  kept: z.string().exactOptional(),
  missingBytes: z.int(),
  collections: z.array(
    z.object({
      name: z.string(),
      recovered: z.int(),
      unsealed: z.int(),
      lost: z.int(),
      lostKeys: z.array(z.array(z.string())),
    }),
  ),
});

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
  repair: repairSchema.exactOptional(),
});

export type DoctorRepair = Answer<typeof repairSchema>;

export type DoctorAnswer = Answer<typeof doctorAnswerSchema>;

/** One thing that was checked. */
export type DoctorCheck = DoctorAnswer['checks'][number];
