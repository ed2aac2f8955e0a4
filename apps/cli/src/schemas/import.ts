import { z } from 'zod';

/** What became of one file. */
export interface ImportEntry {
  readonly file: string;
  readonly status: 'imported' | 'continued' | 'replaced' | 'unchanged' | 'skipped' | 'failed';
  /** Why it was skipped or failed. */
  readonly reason?: string;
  /** Code of the error, where there was one. */
  readonly code?: string;
  readonly session?: string;
  readonly format?: string;
  readonly messages: number;
  readonly events: number;
  readonly outputs: number;
  readonly outputBytes: number;
  readonly outputTokens: number;
  /** Oddities that were dealt with, by name. */
  readonly repaired: Readonly<Record<string, number>>;
  /** Records that could not be understood, by reason; where they stand is in the log. */
  readonly unreadable: Readonly<Record<string, number>>;
  /** Secrets replaced (`on`) or only found (`report`), by kind. */
  readonly redacted: Readonly<Record<string, number>>;
}

/** What `ctx import --json` answers. */
export interface ImportAnswer {
  readonly store: string;
  readonly redact: 'on' | 'report' | 'off';
  readonly files: readonly ImportEntry[];
  /** Whether a search finds what was written at once; else the first search takes it into the index. */
  readonly indexed: boolean;
}

const counts = z.record(z.string(), z.number());

export const importAnswerSchema: z.ZodType<ImportAnswer> = z.object({
  store: z.string(),
  redact: z.enum(['on', 'report', 'off']),
  files: z.array(
    z.object({
      file: z.string(),
      status: z.enum(['imported', 'continued', 'replaced', 'unchanged', 'skipped', 'failed']),
      reason: z.string().exactOptional(),
      code: z.string().exactOptional(),
      session: z.string().exactOptional(),
      format: z.string().exactOptional(),
      messages: z.number(),
      events: z.number(),
      outputs: z.number(),
      outputBytes: z.number(),
      outputTokens: z.number(),
      repaired: counts,
      unreadable: counts,
      redacted: counts,
    }),
  ),
  indexed: z.boolean(),
});
