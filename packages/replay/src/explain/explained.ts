import type { ContentBlock, Message } from '@ctx/core';
import type { SegmentReason } from '@ctx/truncation';

/** A segment of the request with the block that it came from. */
export interface ExplainedSegment {
  readonly reason: SegmentReason;
  readonly message: Message;
  readonly block: ContentBlock;
  /** Place of its message in the conversation. */
  readonly place: number;
}

/** One request, explained. */
export interface ExplainedRequest {
  readonly request: number;
  readonly requests: number;
  /** As the provider counts, as far as it reported: the sum of the segments and of what stands before them. */
  readonly tokens: number;
  /** How large the model's window is. */
  readonly windowTokens: number;
  readonly limitTokens: number;
  readonly systemTokens: number;
  readonly toolTokens: number;
  /** Of the system prompt and the tools, where they were told as one sum. */
  readonly fixedTokens?: number;
  readonly segments: readonly ExplainedSegment[];
}
