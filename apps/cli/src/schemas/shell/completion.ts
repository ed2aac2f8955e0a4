import { z } from 'zod';

/** What `ctx completion --json` answers. */
export const completionAnswerSchema = z.object({
  shell: z.string(),
  script: z.string(),
});
