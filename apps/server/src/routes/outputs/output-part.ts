import { CtxError, type ToolOutput } from '@ctx/core';
import { outputText } from '@ctx/core/encoding';
import { findPattern, readCharacters, readJsonPath, readLines } from '@ctx/store';
import { z } from 'zod';
import { wholeNumber } from '../route-parts.ts';

const line = wholeNumber(1, 1e9);
const flag = z.enum(['true', 'false']);

/** Which part of an output is wanted. */
export interface PartQuery {
  readonly from: number;
  readonly to?: number;
  readonly characters?: string;
  readonly maxCharacters?: number;
  readonly pattern?: string;
  readonly regex?: 'true' | 'false';
  readonly ignoreCase?: 'true' | 'false';
  readonly contextLines?: number;
  readonly after?: number;
  readonly jsonPath?: string;
}

const partMembers = z.strictObject({
  from: line.default(1).describe('First line, from 1'),
  to: line.exactOptional().describe('Last line'),
  characters: z
    .string()
    .max(40)
    .exactOptional()
    .describe(
      'Characters instead of lines, such as 12001-24000; of the members where jsonPath is given',
    ),
  maxCharacters: wholeNumber(1000, 250_000)
    .exactOptional()
    .describe('Most characters of an answer to `characters`; default 16,000'),
  pattern: z.string().min(1).max(500).exactOptional().describe('Only lines that hold this'),
  regex: flag.exactOptional().describe('Whether pattern is a regular expression'),
  ignoreCase: flag.exactOptional(),
  contextLines: wholeNumber(0, 20).exactOptional(),
  after: wholeNumber(0, 1e9).exactOptional().describe('Continue with matches after this line'),
  jsonPath: z.string().min(1).max(500).exactOptional().describe('A member, such as $.items[0]'),
});

export const partQuery: z.ZodType<PartQuery> = partMembers.refine(
  ({ from, to }) => to === undefined || to >= from,
  { path: ['to'], message: 'must not come before from' },
);

/** A part of an output. */
export interface PartAnswer {
  readonly text: string;
  readonly totalLines: number;
  readonly from?: number;
  readonly to?: number;
  /** Where to read on: `from`. */
  readonly nextLine?: number;
  /** Where `characters` were read. */
  readonly totalCharacters?: number;
  /** What is left of a long line, or of the characters: `characters`. */
  readonly rest?: string;
  /** Whether the path finds more members than are shown. */
  readonly hasMore?: true;
  /** Lines that match. */
  readonly matches?: readonly {
    readonly line: number;
    readonly text: string;
    readonly before: readonly string[];
    readonly after: readonly string[];
    /** Where in the text the match stands, if its line is shown in part. */
    readonly character?: number;
    /** Where that line matches again. */
    readonly again?: readonly number[];
  }[];
  readonly totalMatches?: number;
  /** Where to read on: `after`. */
  readonly nextAfter?: number;
}

export const partAnswer: z.ZodType<PartAnswer> = z.object({
  text: z.string(),
  totalLines: z.int(),
  from: z.int().exactOptional(),
  to: z.int().exactOptional(),
  nextLine: z.int().exactOptional(),
  totalCharacters: z.int().exactOptional(),
  rest: z.string().exactOptional(),
  hasMore: z.literal(true).exactOptional(),
  matches: z
    .array(
      z.object({
        line: z.int(),
        text: z.string(),
        before: z.array(z.string()),
        after: z.array(z.string()),
        character: z.int().exactOptional(),
        again: z.array(z.int()).exactOptional(),
      }),
    )
    .exactOptional(),
  totalMatches: z.int().exactOptional(),
  nextAfter: z.int().exactOptional(),
});

/** A result that is JSON text counts as the value it says. */
function valueOf({ result }: ToolOutput): unknown {
  if (typeof result !== 'string') return result;
  try {
    return JSON.parse(result);
  } catch {
    throw new CtxError(
      'CTX_INVALID_ADDRESS',
      'this result is no JSON; read it by lines, characters or pattern',
    );
  }
}

function charactersPart(
  { lines }: ToolOutput,
  text: string,
  { characters = '1-', maxCharacters }: PartQuery,
): PartAnswer {
  const { text: part, totalCharacters, rest } = readCharacters(text, characters, maxCharacters);
  return {
    ...{ text: part, totalLines: lines, totalCharacters },
    ...(rest === undefined ? {} : { rest }),
  };
}

function membersPart(output: ToolOutput, path: string, query: PartQuery): PartAnswer {
  const { matches, hasMore } = readJsonPath(valueOf(output), path, { limit: 200 });
  const found = matches.map(({ value }) => (typeof value === 'string' ? value : outputText(value)));
  const part = charactersPart(output, found.join('\n'), query);
  return hasMore ? { ...part, hasMore } : part;
}

function matchesPart(output: ToolOutput, pattern: string, query: PartQuery): PartAnswer {
  const { regex, ignoreCase, contextLines, after } = query;
  const { matches, totalMatches, nextAfter } = findPattern(outputText(output.result), {
    pattern,
    regex: regex === 'true',
    ignoreCase: ignoreCase === 'true',
    ...(contextLines === undefined ? {} : { contextLines }),
    ...(after === undefined ? {} : { after }),
  });
  return {
    text: matches.map((match) => match.text).join('\n'),
    totalLines: output.lines,
    matches,
    totalMatches,
    ...(nextAfter === undefined ? {} : { nextAfter }),
  };
}

/**
 * Reads a part of an output. A bounded answer that says where it goes on.
 * @throws `CTX_INVALID_INPUT`.
 */
export function partOfOutput(output: ToolOutput, query: PartQuery): PartAnswer {
  const { pattern, jsonPath, from, to, characters } = query;
  if (jsonPath !== undefined) return membersPart(output, jsonPath, query);
  if (characters !== undefined) return charactersPart(output, outputText(output.result), query);
  if (pattern !== undefined) return matchesPart(output, pattern, query);
  const range = to === undefined ? { from } : { from, to };
  return readLines(outputText(output.result), range);
}
