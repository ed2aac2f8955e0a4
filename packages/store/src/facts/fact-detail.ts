import * as z from 'zod';

/** What a fact is about. */
export type FactKind =
  | 'preference'
  | 'constraint'
  | 'identity'
  | 'decision'
  | 'event'
  | 'environment';

/** A stretch of time in which a fact held, ms since the epoch. */
export interface FactPeriod {
  readonly from: number;
  /** Not part of the stretch. Missing: the fact still holds. */
  readonly to?: number;
  /** It was stated for a later time: before that the fact does not hold. */
  readonly isPlanned?: boolean;
}

/** What the memory knows of a fact beside its text. Facts that were only typed have none. */
export interface FactDetail {
  readonly kind: FactKind;
  /** What it says something about, and what of it: of facts with both equal, one holds at a time. */
  readonly subject?: string;
  readonly attribute?: string;
  /** The words of the source that say it. */
  readonly quote?: string;
  /** The message that says it, such as `ctx://messages/3`. */
  readonly address?: string;
  /** Place of that message in its session's log. */
  readonly sequence?: number;
  /** ms since the epoch. */
  readonly saidAt: number;
  /** From 0 to 1. */
  readonly confidence: number;
  /** When it held, newest first, at most 20. */
  readonly periods: readonly FactPeriod[];
  readonly vector?: FactVector;
}

/** Where a fact stands among those that mean the same to one embedder. */
export interface FactVector {
  readonly model: string;
  /** 32-bit floats, little-endian, in base64. */
  readonly values: string;
}

const period: z.ZodType<FactPeriod> = z.object({
  from: z.number(),
  to: z.number().exactOptional(),
  isPlanned: z.boolean().exactOptional(),
});

/** Checks where a fact stands. */
export const factVectorSchema: z.ZodType<FactVector> = z.object({
  model: z.string(),
  values: z.string(),
});

/** Checks the stored part of a fact that the memory wrote. */
export const factDetailSchema: z.ZodType<FactDetail> = z.object({
  kind: z.enum(['preference', 'constraint', 'identity', 'decision', 'event', 'environment']),
  subject: z.string().exactOptional(),
  attribute: z.string().exactOptional(),
  quote: z.string().exactOptional(),
  address: z.string().exactOptional(),
  sequence: z.number().exactOptional(),
  saidAt: z.number(),
  confidence: z.number(),
  periods: z.array(period),
  vector: factVectorSchema.exactOptional(),
});

/** Returns whether a fact was stated for a time after `now`, ms since the epoch. */
export function isAhead({ detail }: { readonly detail?: FactDetail }, now: number): boolean {
  const [newest] = detail?.periods ?? [];
  return newest?.isPlanned === true && newest.from > now;
}

/** Returns whether nothing ended a fact: facts without periods always do. */
export function isCurrent({ detail }: { readonly detail?: FactDetail }): boolean {
  return detail === undefined || detail.periods[0]?.to === undefined;
}
