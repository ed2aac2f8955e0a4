import type { OutputHit } from '@ctx/store';
import * as z from 'zod';
import type { Answer } from './answer.ts';
import { pointerEntryOf, pointerEntrySchema } from './pointer-entry.ts';

// The type stands here in full: a name of it could not be written in the declarations of packages that infer from it.
const lineSchema: z.ZodType<{
  readonly of: 'result' | 'arguments';
  readonly line: number;
  readonly text: string;
  readonly marks: readonly (readonly [start: number, end: number])[];
}> = z.object({
  of: z.enum(['result', 'arguments']).describe('where the line stands'),
  line: z.number().describe('its number, from 1'),
  text: z.string().describe('the line, of a long one a part'),
  marks: z
    .array(z.tuple([z.number(), z.number()]))
    .describe('where the words stand in the text: start and end in UTF-16 code units'),
});

/** What a hit holds of a query. */
export const searchMatchSchema = z
  .enum(['all', 'words', 'some'])
  .describe(
    'all: all words and quoted phrases; words: all words, but not the phrases as quoted; some: only some of the words',
  );

/** Says what a search could not look at. */
export const unsearchedSchema = z
  .int()
  .min(0)
  .describe('records of an older store that no search finds until their words are taken in');

/** Says of how many outputs a search looked at the beginning alone. */
export const partlySearchedSchema = z
  .int()
  .min(0)
  .describe('outputs so long that the words at their end are not found; reading them finds those');

/** An output that was found. */
export const searchHitEntrySchema = z.object({
  score: z.number(),
  match: searchMatchSchema,
  output: pointerEntrySchema,
  /** The line that matches best; left out where only the tool's name matches. */
  line: lineSchema.exactOptional(),
});

export type SearchHitEntry = Answer<typeof searchHitEntrySchema>;

/** Makes the entry of a hit; `uri` is the address of its output. */
export function searchHitEntryOf(hit: OutputHit, uri: string): SearchHitEntry {
  const { pointer, score, match, line } = hit;
  const output = pointerEntryOf(pointer, uri);
  return { score, match, output, ...(line === undefined ? {} : { line }) };
}
