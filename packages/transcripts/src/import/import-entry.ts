import * as z from 'zod';

const counts = z.record(z.string(), z.number());

/** What became of one transcript. */
export const importEntrySchema = z.object({
  file: z.string(),
  status: z.enum(['imported', 'continued', 'replaced', 'unchanged', 'skipped', 'failed']),
  reason: z.string().exactOptional(),
  code: z.string().exactOptional(),
  advice: z.string().exactOptional(),
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
});

/**
 * What became of one transcript. `repaired` counts oddities that were dealt with, `unreadable` records that could not be understood by
 * reason, `redacted` the secrets that were replaced or only found, by kind.
 */
export type ImportEntry = Readonly<z.infer<typeof importEntrySchema>>;
