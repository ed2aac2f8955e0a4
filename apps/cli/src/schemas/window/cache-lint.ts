import type { Answer } from '@ctx/server/schemas';
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
