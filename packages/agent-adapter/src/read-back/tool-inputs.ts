/** JSON schema of the arguments of a tool. */
export type ToolInput = Readonly<Record<string, unknown>>;

/**
 * What models are told of the arguments of ctx's tools: the JSON schemas of those by which the arguments are checked, written out, so
 * that tools can be offered before anything is loaded that checks.
 */
const dialect = 'https://json-schema.org/draft/2020-12/schema';

const object = (properties: ToolInput, ...required: readonly string[]): ToolInput => ({
  $schema: dialect,
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false,
});

const text = (maxLength: number, more: ToolInput = {}): ToolInput => ({
  type: 'string',
  maxLength,
  ...more,
});

const whole = (minimum: number, maximum: number, more: ToolInput = {}): ToolInput => ({
  type: 'integer',
  minimum,
  maximum,
  ...more,
});

const most = Number.MAX_SAFE_INTEGER;

/** Of `readOutputSchema`. */
export const readOutputInput: ToolInput = object(
  {
    pointer: text(200, {
      description:
        'ctx://outputs/… or ctx://messages/… as it stands in the conversation; of several messages one may be named alone',
    }),
    from: whole(1, most, { description: 'First line, from 1' }),
    to: whole(1, most, { description: 'Last line, inclusive' }),
    characters: text(40, {
      description:
        'Characters instead of lines, such as 12001-24000, counted from 1 over the whole text (or what jsonPath finds): for long lines',
    }),
    pattern: text(500, { minLength: 1, description: 'Show only lines that hold this plain text' }),
    regex: {
      type: 'boolean',
      description: 'Take pattern as a regular expression, false if left out',
    },
    ignoreCase: { type: 'boolean' },
    contextLines: whole(0, 20, { description: 'Lines around a match, 2 if left out' }),
    after: whole(0, most, { description: 'Continue with matches after this line' }),
    jsonPath: text(500, { description: 'A member of a JSON result, such as $.items[0]' }),
  },
  'pointer',
);

/** Of `searchOutputsSchema`. */
export const searchOutputsInput: ToolInput = object(
  {
    query: text(1000, { minLength: 1, description: 'Words to look for, phrases in double quotes' }),
    limit: whole(1, 20, { description: 'Most results, 5 if left out' }),
  },
  'query',
);

/** Of `rememberSchema`. */
export const rememberInput: ToolInput = object({ fact: text(4000, { minLength: 1 }) }, 'fact');

/** Of `recallSchema`. */
export const recallInput: ToolInput = object(
  {
    query: text(4000, { minLength: 1 }),
    limit: whole(1, 20, { default: 10 }),
    asOf: text(10, {
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      description: 'A day, such as 2026-01-31: facts that held then',
    }),
  },
  'query',
);

/** Of a tool that takes nothing. */
export const noInput: ToolInput = object({});
