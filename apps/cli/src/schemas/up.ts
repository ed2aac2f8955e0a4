import { z } from 'zod';

/** What `ctx up --json` answers, as soon as it listens. */
export interface UpAnswer {
  readonly url: string;
  readonly port: number;
  readonly store: string;
  /** File that holds the key; absent with `--no-auth` and for a store in memory. */
  readonly keyFile?: string;
}

export const upAnswerSchema: z.ZodType<UpAnswer> = z.object({
  url: z.string(),
  port: z.int(),
  store: z.string(),
  keyFile: z.string().exactOptional(),
});
