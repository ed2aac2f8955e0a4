import type { RequestDiff, RequestPartChange, RequestPartEntry } from '@ctx/truncation/cost';
import { z } from 'zod';
import { type ItemsDiffAnswer, itemsDiffAnswerSchema } from './checkpoints.ts';

/** What `ctx diff --json` answers about two requests. */
export interface RequestDiffAnswer extends RequestDiff {
  readonly before: string;
  readonly after: string;
}

/** What `ctx diff --json` answers: one of the two. */
export interface DiffAnswer {
  readonly items?: ItemsDiffAnswer;
  /** With `--requests`. */
  readonly requests?: RequestDiffAnswer;
}

const count: z.ZodType<number> = z.int().min(0);
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

const requestDiffAnswerSchema: z.ZodType<RequestDiffAnswer> = z.object({
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

export const diffAnswerSchema: z.ZodType<DiffAnswer> = z.object({
  items: itemsDiffAnswerSchema.exactOptional(),
  requests: requestDiffAnswerSchema.exactOptional(),
});
