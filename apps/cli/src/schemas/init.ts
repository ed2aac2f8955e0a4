import * as z from 'zod';

/** What `ctx init --json` answers. */
export interface InitAnswer {
  /** The file of settings. */
  readonly path: string;
  /** What is added and removed, one line each. */
  readonly changes: readonly string[];
  /** False for `--dry-run`, and where nothing had to be changed. */
  readonly written: boolean;
}

export const initAnswerSchema: z.ZodType<InitAnswer> = z.object({
  path: z.string(),
  changes: z.array(z.string()),
  written: z.boolean(),
});
