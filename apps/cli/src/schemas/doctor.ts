import { z } from 'zod';

/** One thing that was checked. */
export interface DoctorCheck {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'problem';
  readonly found: string;
  /** What to do about it. */
  readonly advice?: string;
}

/** What `ctx doctor --json` answers. */
export interface DoctorAnswer {
  readonly isHealthy: boolean;
  readonly checks: readonly DoctorCheck[];
}

export const doctorAnswerSchema: z.ZodType<DoctorAnswer> = z.object({
  isHealthy: z.boolean(),
  checks: z.array(
    z.object({
      name: z.string(),
      status: z.enum(['ok', 'warning', 'problem']),
      found: z.string(),
      advice: z.string().exactOptional(),
    }),
  ),
});
