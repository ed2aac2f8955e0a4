import { type Answer, entrySchemas } from '@ctx/server/schemas';
import { z } from 'zod';

const { segment, message, form, pointer } = entrySchemas.segmentMembers;

/**
 * One piece of the conversation, and what it is in the request. Number, place, form and pointer are missing of the system prompt and
 * the tools.
 */
const whySegmentSchema = z.object({
  ...entrySchemas.segmentMembers,
  segment: segment.exactOptional(),
  message: message.exactOptional(),
  form: form.exactOptional(),
  pointer: pointer.exactOptional(),
  role: z.string(),
  /** `text`, `call`, `result`, `system prompt`, `tools`, or what an opaque block is. */
  kind: z.string(),
  tool: z.string().exactOptional(),
  /**
   * The form in words: `in view`, `pinned`, `normalised`, `same as above`, `diff`, `new lines`, `preview`, `ledger`, `stubbed`,
   * `in part`, `gone`, `shortened`, `cut` or `summarised`.
   */
  state: z.string(),
  /** The command that gives the original back. */
  read: z.string().exactOptional(),
});

export type WhySegment = Answer<typeof whySegmentSchema>;

/** What `ctx why --json` answers. */
export const whyAnswerSchema = z.object({
  /** The file or session. */
  name: z.string(),
  source: z.enum(['file', 'session']),
  policy: z.string(),
  windowTokens: z.number(),
  /** What a request may have: the window without the room for the answer. */
  limitTokens: z.number(),
  /** The request that is explained, from 1, and how many there are. */
  request: z.number(),
  requests: z.number(),
  /** Messages of the record that count as gone: before its last compaction, or taken back. */
  messagesAside: z.number(),
  /** Size of the request, tokens, and what it would have with everything whole. */
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
  /** Where the list goes on: `--from`. */
  next: z.number().exactOptional(),
});

export type WhyAnswer = Answer<typeof whyAnswerSchema>;

/** Segments of one state. */
export type WhyState = WhyAnswer['states'][number];
