import { replaySummarySchema, topMomentSchema } from '@ctx/replay';
import type { Answer } from '@ctx/server/records';
import { z } from 'zod';

/** What `ctx cache-lint --json` answers. */
export const cacheLintAnswerSchema = z.object({
  /** Name of the price; `by format` where none was given. */
  price: z.string(),
  /** Whether the log has times, so that a cache that forgot can be told. */
  hasTimes: z.boolean(),
  /** Requests that hold only what is new, since they go on from what the provider keeps: not judged, and in no sum. */
  partialRequests: z.number(),
  inputTokens: z.number(),
  hitTokens: z.number(),
  inputUte: z.number(),
  wastedTokens: z.number(),
  wastedUte: z.number(),
  /** wastedUte / inputUte, 0…1. */
  wasteShare: z.number(),
  /** Whether the waste is at or under `--max-waste`; true where that is not given. */
  isWithinLimit: z.boolean(),
  causes: z.array(
    z.object({
      cause: z.string(),
      requests: z.number(),
      tokens: z.number(),
      ute: z.number(),
      fix: z.string(),
    }),
  ),
  requests: z.array(
    z.object({
      file: z.string(),
      /** From 1; absent in a file that is one document. */
      line: z.number().exactOptional(),
      /** Model, or the format where the request names none. */
      lane: z.string(),
      inputTokens: z.number(),
      hitTokens: z.number(),
      /** Place in this list of the request that it goes on from; absent for the first of a conversation. */
      follows: z.number().exactOptional(),
      /** Whether it holds only what is new: its tokens are in no sum. */
      isPartial: z.literal(true).exactOptional(),
      findings: z.array(
        z.object({
          cause: z.string(),
          /** For `volatile`: timestamp, uuid, id, number. */
          kinds: z.array(z.string()).exactOptional(),
          tokens: z.number(),
          /** Cost over what the cache would have cost, in uncached-token equivalents. */
          ute: z.number(),
          /** The first part of the request that differs. */
          path: z.string().exactOptional(),
          before: z.string().exactOptional(),
          after: z.string().exactOptional(),
        }),
      ),
    }),
  ),
});

export type CacheLintAnswer = Answer<typeof cacheLintAnswerSchema>;

/** Tokens that were paid again, and why. */
export type CacheLintFinding = CacheLintAnswer['requests'][number]['findings'][number];

/** One request. */
export type CacheLintRequest = CacheLintAnswer['requests'][number];

/** What `ctx compress --json` answers. */
export const compressAnswerSchema = z.object({
  /** The file as it was named; `-` is standard input. */
  file: z.string(),
  /** What the text turned out to be: a kind that is shortened by its content, or `preview`; absent if none. */
  kind: z.string().exactOptional(),
  /** Whether `text` was shortened. False: it is the input, unchanged. */
  isShortened: z.boolean(),
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  /** What is not shown, in words. */
  left: z.array(z.string()),
  text: z.string(),
  /** Address of the whole; absent if nothing was stored. */
  output: z.string().exactOptional(),
  /** The command that gives the whole back; absent if nothing was stored. */
  read: z.string().exactOptional(),
  /** Where the address leads; absent if nothing was stored. */
  store: z.string().exactOptional(),
});

export type CompressAnswer = Answer<typeof compressAnswerSchema>;

/** One block of the conversation, and what became of it. */
const fitPartSchema = z.object({
  /** Index of its message in the conversation, without the system prompt, and of the block in it. */
  message: z.number(),
  block: z.number(),
  role: z.string(),
  /** `text`, `call`, `result`, or what an opaque block is. */
  kind: z.string(),
  tool: z.string().exactOptional(),
  /**
   * `whole` (in the view as it was), `thin` (the same with fewer line numbers), `normalised`, `same`, `diff`, `overlap`, `preview`, `ledger` (one line stays), `stub` (a short text
   * stays), `part` (shown in part), `gone` (left with its result), `short` (shortened), `cut` (left with its messages).
   */
  form: z.string(),
  why: z.string(),
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  /** The command that gives it back. */
  read: z.string(),
});

export type FitPart = Answer<typeof fitPartSchema>;

/** What `ctx fit --json` answers, on standard error; the conversation goes to standard output. */
export const fitAnswerSchema = z.object({
  file: z.string(),
  format: z.string(),
  policy: z.string(),
  budgetTokens: z.number(),
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  /** What the policy alone came to, where it is none of the window's; over the budget, the window did the rest. */
  tokensOfPolicy: z.number().exactOptional(),
  messagesBefore: z.number(),
  messagesAfter: z.number(),
  /** Messages of the record that count as gone: before its last compaction, or taken back. */
  messagesAside: z.number(),
  fits: z.boolean(),
  /** Whether the bytes of the input were written back. */
  isCopy: z.boolean(),
  /** What the written file does not hold any more, by kind. */
  losses: z.record(z.string(), z.number()),
  /** The session that keeps the conversation as it was; absent where nothing was stored. */
  session: z.string().exactOptional(),
  /** The command that gives the whole conversation back, as a list of messages; absent where nothing was stored. */
  read: z.string().exactOptional(),
  /** Everything that is not shown as it was. */
  left: z.array(fitPartSchema),
  /** Every block in order, with `--explain`. */
  parts: z.array(fitPartSchema).exactOptional(),
  /** Mended before fitting, by kind. */
  repaired: z.record(z.string(), z.number()),
  /** Where the pointers lead. */
  store: z.string(),
});

export type FitAnswer = Answer<typeof fitAnswerSchema>;

/** What `ctx replay --json` answers. */
export const replayAnswerSchema = z.object({ store: z.string(), ...replaySummarySchema.shape });

/** What `ctx top --json` answers: one moment of a session. */
export const topAnswerSchema = z.object({ store: z.string(), ...topMomentSchema.shape });
