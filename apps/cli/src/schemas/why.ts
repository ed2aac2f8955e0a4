import { type SegmentEntry, segmentMembers } from '@ctx/server/schemas';
import { z } from 'zod';

/**
 * One piece of the conversation, and what it is in the request. Number, place, form and pointer are missing of the system prompt and
 * the tools.
 */
export interface WhySegment
  extends Omit<SegmentEntry, NumberedMember>,
    Partial<Pick<SegmentEntry, NumberedMember>> {
  readonly role: string;
  /** `text`, `call`, `result`, `system prompt`, `tools`, or what an opaque block is. */
  readonly kind: string;
  readonly tool?: string;
  /**
   * The form in words: `in view`, `pinned`, `normalised`, `same as above`, `diff`, `new lines`, `preview`, `ledger`, `stubbed`,
   * `in part`, `gone`, `shortened`, `cut` or `summarised`.
   */
  readonly state: string;
  /** The command that gives the original back. */
  readonly read?: string;
}

type NumberedMember = 'segment' | 'message' | 'form' | 'pointer';

/** Segments of one state. */
export interface WhyState {
  readonly state: string;
  readonly segments: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** What `ctx why --json` answers. */
export interface WhyAnswer {
  /** The file or session. */
  readonly name: string;
  readonly source: 'file' | 'session';
  readonly policy: string;
  readonly windowTokens: number;
  /** What a request may have: the window without the room for the answer. */
  readonly limitTokens: number;
  /** The request that is explained, from 1, and how many there are. */
  readonly request: number;
  readonly requests: number;
  /** Messages of the record that count as gone: before its last compaction, or taken back. */
  readonly messagesAside: number;
  /** Size of the request, tokens, and what it would have with everything whole. */
  readonly tokens: number;
  readonly tokensWhole: number;
  readonly states: readonly WhyState[];
  readonly segments: readonly WhySegment[];
  /** Where the list goes on: `--from`. */
  readonly next?: number;
}

const { segment, message, form, pointer } = segmentMembers;

const whySegmentSchema: z.ZodType<WhySegment> = z.object({
  ...segmentMembers,
  segment: segment.exactOptional(),
  message: message.exactOptional(),
  form: form.exactOptional(),
  pointer: pointer.exactOptional(),
  role: z.string(),
  kind: z.string(),
  tool: z.string().exactOptional(),
  state: z.string(),
  read: z.string().exactOptional(),
});

export const whyAnswerSchema: z.ZodType<WhyAnswer> = z.object({
  name: z.string(),
  source: z.enum(['file', 'session']),
  policy: z.string(),
  windowTokens: z.number(),
  limitTokens: z.number(),
  request: z.number(),
  requests: z.number(),
  messagesAside: z.number(),
  tokens: z.number(),
  tokensWhole: z.number(),
  states: z.array(
    z.object({
      state: z.string(),
      segments: z.number(),
      tokensBefore: z.number(),
      tokensAfter: z.number(),
    }),
  ),
  segments: z.array(whySegmentSchema),
  next: z.number().exactOptional(),
});
