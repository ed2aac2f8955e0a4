import * as z from 'zod';

const count = z.number().min(0);

/** What the tools answer in `structuredContent`: all that their texts say. */
export const answerSchemas = {
  read: z.object({
    text: z.string().describe('The part that was read, and where it goes on'),
    files: z
      .array(z.object({ mark: z.string(), mediaType: z.string() }))
      .describe('Pictures and documents, by the lines that stand for them in the text'),
  }),
  search: z.object({
    hits: z.array(
      z.object({
        pointer: z.string().describe('For ctx_read_output'),
        call: z.string(),
        tokens: count,
        lines: count,
        excerpt: z.string(),
        note: z.string().optional().describe('How this hit and those after it match, if not fully'),
      }),
    ),
  }),
  status: z.object({
    outputs: count,
    tokens: count,
    facts: count.optional(),
    tasks: count.optional(),
    inputTokens: count.optional(),
    outputTokens: count.optional(),
  }),
  recall: z.object({
    facts: z.array(
      z.object({
        fact: z.string(),
        source: z.string(),
        since: z.string().describe('The day from which on it holds'),
      }),
    ),
  }),
  remember: z.object({ isNew: z.boolean() }),
  save: z.object({ pointer: z.string().describe('For ctx_read_output') }),
} as const satisfies Record<string, z.ZodType>;
