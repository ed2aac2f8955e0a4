import { type Answer, entrySchemas } from '@ctx/server/records';
import { z } from 'zod';

/** What `ctx outputs --json` answers. */
export const outputsAnswerSchema = z.object({
  store: z.string(),
  /** Oldest first within a session. */
  outputs: z.array(entrySchemas.pointer),
  /** Give it as `--after` to read on; missing at the end. */
  next: z.string().exactOptional(),
  /** The records that this page leaves out because they are damaged; missing if none are. */
  unreadable: z.array(z.string()).exactOptional(),
});

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

/** What `ctx search --json` answers. */
export const searchAnswerSchema = z.object({
  store: z.string(),
  words: z.string(),
  /** Those that hold all of it first, then those that hold less (`match`). A score compares within one answer and one `match` only. */
  hits: z.array(entrySchemas.searchHit),
  /** False where more may match. */
  isComplete: z.boolean(),
  /** Records of an older store that no search finds until their words are taken in. */
  unsearched: z.int().min(0),
  /** Outputs so long that the words at their end are not found. */
  partlySearched: z.int().min(0),
  /** How many hits are left out that repeat a call and its result from another session. */
  copies: z.int().min(0),
});

export type SearchAnswer = Answer<typeof searchAnswerSchema>;
