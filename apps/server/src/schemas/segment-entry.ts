import * as z from 'zod';
import type { Answer } from './answer.ts';

/** The schemas of its members, for answers that say more of a segment. */
export const segmentMembers = {
  segment: z.int(),
  message: z.int().describe('Place of its message in the log'),
  form: z.string(),
  cause: z.string().exactOptional(),
  why: z.string(),
  tokensBefore: z.number().min(0).describe('As it came'),
  tokensAfter: z.number().min(0).describe('As it is shown'),
  pointer: z.string().describe('Where the original is read'),
};

/** What became of a segment of a log in a request, and why. */
export const segmentEntrySchema = z.object({ ...segmentMembers });

export type SegmentEntry = Answer<typeof segmentEntrySchema>;

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
