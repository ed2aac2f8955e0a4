import { z } from 'zod';

/** What `ctx completion --json` answers. */
export interface CompletionAnswer {
  readonly shell: string;
  readonly script: string;
}

export const completionAnswerSchema: z.ZodType<CompletionAnswer> = z.object({
  shell: z.string(),
  script: z.string(),
});
