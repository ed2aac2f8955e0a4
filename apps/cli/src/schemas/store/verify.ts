import { verifySummarySchema } from '@ctx/server/schemas';
import { z } from 'zod';

const { gone, ...summary } = verifySummarySchema.shape;

/** What `ctx verify --json` answers. `quarantine` is the folder in which quarantined records lie now. */
export const verifyAnswerSchema = z.object({
  store: z.string(),
  ...summary,
  quarantine: z.string().exactOptional(),
  gone,
});

export type VerifyAnswer = z.infer<typeof verifyAnswerSchema>;
