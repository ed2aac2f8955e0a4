import type { Answer } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx config --json` answers. */
export const configAnswerSchema = z.object({
  settings: z.array(
    z.object({
      key: z.string(),
      /** Missing where nothing is set. */
      value: z.string().exactOptional(),
      /** Who said it: `flag`, `environment`, `project`, `user` or `default`. */
      origin: z.string(),
      /** The flag, the variable or the file. */
      source: z.string().exactOptional(),
    }),
  ),
  files: z.object({
    user: z.string(),
    project: z.string(),
    hasUser: z.boolean(),
    hasProject: z.boolean(),
  }),
  /** The file that `set` or `unset` wrote. */
  wrote: z.string().exactOptional(),
});

export type ConfigAnswer = Answer<typeof configAnswerSchema>;
