import type { Answer } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx compress --json` answers. */
export const compressAnswerSchema = z.object({
  /** The file as it was named; `-` is standard input. */
  file: z.string(),
  /** What the text turned out to be: a kind that is shortened by its content, or `preview`; absent if none. */
  kind: z.string().exactOptional(),
  /** Whether `text` was shortened. False: it is the input, unchanged. */
  isShortened: z.boolean(),
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  /** What is not shown, in words. */
  left: z.array(z.string()),
  text: z.string(),
  /** Address of the whole; absent if nothing was stored. */
  output: z.string().exactOptional(),
  /** The command that gives the whole back; absent if nothing was stored. */
  read: z.string().exactOptional(),
  /** Where the address leads; absent if nothing was stored. */
  store: z.string().exactOptional(),
});

export type CompressAnswer = Answer<typeof compressAnswerSchema>;
