import * as z from 'zod';
import type { ReadOutputArgs } from './read-output-args.ts';
import type { SearchOutputsArgs } from './search-outputs.ts';

const line = z.int().min(1);

/** Checks what a model asks of a stored output. `readOutputInput` says the same to the model. */
export const readOutputSchema: z.ZodType<ReadOutputArgs> = z.strictObject({
  pointer: z
    .string()
    .max(200)
    .describe(
      'ctx://outputs/… or ctx://messages/… as it stands in the conversation; of several messages one may be named alone',
    ),
  from: line.exactOptional().describe('First line, from 1'),
  to: line.exactOptional().describe('Last line, inclusive'),
  characters: z
    .string()
    .max(40)
    .exactOptional()
    .describe(
      'Characters instead of lines, such as 12001-24000, counted from 1 over the whole text (or what jsonPath finds): for long lines',
    ),
  pattern: z
    .string()
    .min(1)
    .max(500)
    .exactOptional()
    .describe('Show only lines that hold this plain text'),
  regex: z
    .boolean()
    .exactOptional()
    .describe('Take pattern as a regular expression, false if left out'),
  ignoreCase: z.boolean().exactOptional(),
  contextLines: z
    .int()
    .min(0)
    .max(20)
    .exactOptional()
    .describe('Lines around a match, 2 if left out'),
  after: z.int().min(0).exactOptional().describe('Continue with matches after this line'),
  jsonPath: z
    .string()
    .max(500)
    .exactOptional()
    .describe('A member of a JSON result, such as $.items[0]'),
});

/** Checks what a model asks of the search. `searchOutputsInput` says the same to the model. */
export const searchOutputsSchema: z.ZodType<SearchOutputsArgs> = z.strictObject({
  query: z.string().min(1).max(1000).describe('Words to look for, phrases in double quotes'),
  limit: z.int().min(1).max(20).exactOptional().describe('Most results, 5 if left out'),
});
