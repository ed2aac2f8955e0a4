import type { Answer } from '@ctx/server/schemas';
import type { RequestPartChange, RequestPartEntry } from '@ctx/truncation/cost';
import { z } from 'zod';
import { itemsDiffAnswerSchema } from './checkpoints.ts';

const count = z.int().min(0);
const section = z.enum(['tools', 'system', 'messages']);

const difference = { path: z.string(), before: z.string(), after: z.string() };

const partEntry: z.ZodType<RequestPartEntry> = z.object({
  section,
  path: z.string(),
  tokens: count,
});

const partChange: z.ZodType<RequestPartChange> = z.object({
  section,
  ...difference,
  tokensBefore: count,
  tokensAfter: count,
});

/** What `ctx diff --json` answers about two requests. */
const requestDiffAnswerSchema = z.object({
  before: z.string(),
  after: z.string(),
  tokensBefore: count,
  tokensAfter: count,
  prefixTokens: count,
  firstDivergence: z.object({ ...difference, index: count }).exactOptional(),
  added: z.array(partEntry),
  changed: z.array(partChange),
  removed: z.array(partEntry),
  unchanged: count,
});

export type RequestDiffAnswer = Answer<typeof requestDiffAnswerSchema>;

/** What `ctx diff --json` answers: one of the two. */
export const diffAnswerSchema = z.object({
  items: itemsDiffAnswerSchema.exactOptional(),
  /** With `--requests`. */
  requests: requestDiffAnswerSchema.exactOptional(),
});
