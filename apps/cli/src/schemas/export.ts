import { z } from 'zod';

/** What `ctx export --json` answers, on standard error; the transcript goes to standard output or its file. */
export interface ExportAnswer {
  readonly session: string;
  readonly format: string;
  readonly events: number;
  readonly bytes: number;
  /** What the format cannot hold, by kind. */
  readonly losses: Readonly<Record<string, number>>;
}

export const exportAnswerSchema: z.ZodType<ExportAnswer> = z.object({
  session: z.string(),
  format: z.string(),
  events: z.number(),
  bytes: z.number(),
  losses: z.record(z.string(), z.number()),
});
