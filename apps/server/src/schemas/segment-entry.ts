import * as z from 'zod';

/** What became of a segment of a log in a request, and why. */
export interface SegmentEntry {
  /** Number of the segment, from 0. */
  readonly segment: number;
  /** Place of its message in the log. */
  readonly message: number;
  /** How it is shown, such as `whole`, `stub` or `gone`. */
  readonly form: string;
  /** What made it so, such as `free` or `economic`; missing where it was so from the beginning. */
  readonly cause?: string;
  /** One sentence for people. */
  readonly why: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Where the original is read. */
  readonly pointer: string;
}

/** The schemas of its members, for answers that say more of a segment. */
export interface SegmentMembers {
  readonly segment: z.ZodInt;
  readonly message: z.ZodInt;
  readonly form: z.ZodString;
  readonly cause: z.ZodExactOptional<z.ZodString>;
  readonly why: z.ZodString;
  readonly tokensBefore: z.ZodNumber;
  readonly tokensAfter: z.ZodNumber;
  readonly pointer: z.ZodString;
}

export const segmentMembers: SegmentMembers = {
  segment: z.int(),
  message: z.int().describe('Place of its message in the log'),
  form: z.string(),
  cause: z.string().exactOptional(),
  why: z.string(),
  tokensBefore: z.number().min(0).describe('As it came'),
  tokensAfter: z.number().min(0).describe('As it is shown'),
  pointer: z.string().describe('Where the original is read'),
};

export const segmentEntrySchema: z.ZodType<SegmentEntry> = z.object({ ...segmentMembers });

/** What an entry is made of: what a window says of a segment. */
export interface ExplainedPlace
  extends Pick<SegmentEntry, 'segment' | 'message' | 'form' | 'cause' | 'why' | 'pointer'> {
  readonly givenTokens: number;
  readonly tokens: number;
}

/** Makes the entry of a segment. */
export function segmentEntryOf(place: ExplainedPlace): SegmentEntry {
  const { segment, message, form, cause, why, givenTokens, tokens, pointer } = place;
  return {
    segment,
    message,
    form,
    ...(cause === undefined ? {} : { cause }),
    why,
    tokensBefore: givenTokens,
    tokensAfter: tokens,
    pointer,
  };
}
