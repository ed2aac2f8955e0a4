import { entrySchemas } from '@ctx/server/schemas';
import { z } from 'zod';

const { gone, ...summary } = entrySchemas.verifySummary.shape;

/** What `ctx verify --json` answers. `unsealed` are records of an older ctx without a checksum. `quarantine` is the folder in which quarantined records lie now. */
export const verifyAnswerSchema = z.object({
  store: z.string(),
  ...summary,
  unsealed: z.int(),
  quarantine: z.string().exactOptional(),
  gone,
});

export type VerifyAnswer = z.infer<typeof verifyAnswerSchema>;
