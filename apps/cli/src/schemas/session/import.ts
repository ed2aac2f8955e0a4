import { importEntrySchema } from '@ctx/transcripts/import';
import { z } from 'zod';

/** What `ctx import --json` answers. */
export const importAnswerSchema = z.object({
  store: z.string(),
  redact: z.enum(['on', 'report', 'off']),
  files: z.array(importEntrySchema),
});

export type ImportAnswer = z.infer<typeof importAnswerSchema>;
