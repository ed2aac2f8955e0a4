import { z } from 'zod';

/** One setting in force. */
export interface ConfigEntry {
  readonly key: string;
  /** Missing where nothing is set. */
  readonly value?: string;
  /** Who said it: `flag`, `environment`, `project`, `user` or `default`. */
  readonly origin: string;
  /** The flag, the variable or the file. */
  readonly source?: string;
}

/** What `ctx config --json` answers. */
export interface ConfigAnswer {
  readonly settings: readonly ConfigEntry[];
  readonly files: {
    readonly user: string;
    readonly project: string;
    readonly hasUser: boolean;
    readonly hasProject: boolean;
  };
  /** The file that `set` or `unset` wrote. */
  readonly wrote?: string;
}

export const configAnswerSchema: z.ZodType<ConfigAnswer> = z.object({
  settings: z.array(
    z.object({
      key: z.string(),
      value: z.string().exactOptional(),
      origin: z.string(),
      source: z.string().exactOptional(),
    }),
  ),
  files: z.object({
    user: z.string(),
    project: z.string(),
    hasUser: z.boolean(),
    hasProject: z.boolean(),
  }),
  wrote: z.string().exactOptional(),
});
