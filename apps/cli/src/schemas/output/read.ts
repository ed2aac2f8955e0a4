import { type Answer, entrySchemas } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx read --json` answers. */
export const readAnswerSchema = z.object({
  /** The stored output; missing for messages. */
  output: entrySchemas.pointer.exactOptional(),
  /** What the tool was called with. */
  args: z.unknown().exactOptional(),
  /** The messages that were read; missing for an output. */
  messages: z.object({ session: z.string(), address: z.string() }).exactOptional(),
  /** The text that was asked for. */
  text: z.string(),
  totalLines: z.number(),
  /** First and last line of `text`, where lines were asked for. */
  from: z.number().exactOptional(),
  to: z.number().exactOptional(),
  /** Lines that match, where a pattern was given. */
  totalMatches: z.number().exactOptional(),
  /** Where to read on; missing where nothing is left. */
  nextLine: z.number().exactOptional(),
  /** Characters of the whole text, where characters were asked for. */
  totalCharacters: z.number().exactOptional(),
  /** The characters to go on with, of a long line or of those asked for: `--characters`. */
  rest: z.string().exactOptional(),
});

export type ReadAnswer = Answer<typeof readAnswerSchema>;
