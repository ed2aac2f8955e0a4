import { z } from 'zod';

/** Tokens that were paid again, and why. */
export interface CacheLintFinding {
  readonly cause: string;
  /** For `volatile`: timestamp, uuid, id, number. */
  readonly kinds?: readonly string[];
  readonly tokens: number;
  /** Cost over what the cache would have cost, in uncached-token equivalents. */
  readonly ute: number;
  /** The first part of the request that differs. */
  readonly path?: string;
  readonly before?: string;
  readonly after?: string;
}

/** One request. */
export interface CacheLintRequest {
  readonly file: string;
  /** From 1; absent in a file that is one document. */
  readonly line?: number;
  /** Model, or the format where the request names none. */
  readonly lane: string;
  readonly inputTokens: number;
  readonly hitTokens: number;
  /** Place in this list of the request that it goes on from; absent for the first of a conversation. */
  readonly follows?: number;
  readonly findings: readonly CacheLintFinding[];
}

/** What one cause wasted. */
export interface CacheLintCause {
  readonly cause: string;
  readonly requests: number;
  readonly tokens: number;
  readonly ute: number;
  readonly fix: string;
}

/** What `ctx cache-lint --json` answers. */
export interface CacheLintAnswer {
  /** Name of the price; `by format` where none was given. */
  readonly price: string;
  /** Whether the log has times, so that a cache that forgot can be told. */
  readonly hasTimes: boolean;
  readonly inputTokens: number;
  readonly hitTokens: number;
  readonly inputUte: number;
  readonly wastedTokens: number;
  readonly wastedUte: number;
  /** wastedUte / inputUte, 0…1. */
  readonly wasteShare: number;
  /** Whether the waste is at or under `--max-waste`; true where that is not given. */
  readonly isWithinLimit: boolean;
  readonly causes: readonly CacheLintCause[];
  readonly requests: readonly CacheLintRequest[];
}

export const cacheLintAnswerSchema: z.ZodType<CacheLintAnswer> = z.object({
  price: z.string(),
  hasTimes: z.boolean(),
  inputTokens: z.number(),
  hitTokens: z.number(),
  inputUte: z.number(),
  wastedTokens: z.number(),
  wastedUte: z.number(),
  wasteShare: z.number(),
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
      line: z.number().exactOptional(),
      lane: z.string(),
      inputTokens: z.number(),
      hitTokens: z.number(),
      follows: z.number().exactOptional(),
      findings: z.array(
        z.object({
          cause: z.string(),
          kinds: z.array(z.string()).exactOptional(),
          tokens: z.number(),
          ute: z.number(),
          path: z.string().exactOptional(),
          before: z.string().exactOptional(),
          after: z.string().exactOptional(),
        }),
      ),
    }),
  ),
});
