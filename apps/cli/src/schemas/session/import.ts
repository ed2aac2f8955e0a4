import { importEntrySchema } from '@ctx/transcripts/import';
import { z } from 'zod';

/** What `ctx import --json` answers. `indexed`: a search finds what was written at once; otherwise the first search indexes it. */
export const importAnswerSchema = z.object({
  store: z.string(),
  redact: z.enum(['on', 'report', 'off']),
  files: z.array(importEntrySchema),
  indexed: z.boolean(),
});

export type ImportAnswer = z.infer<typeof importAnswerSchema>;
