import type { OutputLine } from '@ctx/core';
import { z } from 'zod';
import { type PointerEntry, pointerEntrySchema } from './pointer.ts';

/** What `ctx search --json` answers. */
export interface SearchAnswer {
  readonly store: string;
  readonly words: string;
  /** Best first. A score compares within one answer only. */
  readonly hits: readonly SearchHitEntry[];
}

/** An output that was found. */
export interface SearchHitEntry {
  readonly score: number;
  readonly output: PointerEntry;
  /** The line that matches best; left out where only the tool's name matches. */
  readonly line?: OutputLine;
}

const lineSchema: z.ZodType<OutputLine> = z.object({
  of: z.enum(['result', 'arguments']).describe('where the line stands'),
  line: z.number().describe('its number, from 1'),
  text: z.string().describe('the line, of a long one a part'),
  marks: z
    .array(z.tuple([z.number(), z.number()]))
    .describe('where the words stand in the text: start and end in UTF-16 code units'),
});

export const searchAnswerSchema: z.ZodType<SearchAnswer> = z.object({
  store: z.string(),
  words: z.string(),
  hits: z.array(
    z.object({ score: z.number(), output: pointerEntrySchema, line: lineSchema.exactOptional() }),
  ),
});
