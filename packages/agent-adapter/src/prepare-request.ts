import {
  checkMessages,
  CtxError,
  type Message,
  repairMessages,
  type TokenCounter,
  validateMessages,
} from '@ctx/core';
import { createSegmentMeter } from '@ctx/truncation';

/** What a request needs. */
export interface PrepareOptions {
  readonly countTokens: TokenCounter;
  readonly system?: string;
  /** Size of the model's window, tokens. Default 200,000. */
  readonly windowTokens?: number;
  /** Room kept for the answer, tokens. Default 8,000. */
  readonly reserveTokens?: number;
  /** Hand in the same meter for every request of a session, so that each block is counted once. Default: a new one. */
  readonly meter?: ReturnType<typeof createSegmentMeter>;
}

/** A request that a provider accepts, and what was done for that. */
export interface PreparedRequest {
  /** The messages as they were given, or a mended copy. */
  readonly messages: readonly Message[];
  readonly repairs: ReturnType<typeof repairMessages>['repairs'];
  /** Estimate of the request's size, tokens. */
  readonly tokens: number;
  /** Whether the request leaves room for the answer. */
  readonly fits: boolean;
}

/**
 * Makes a request valid and measures it: every call answered, nothing orphaned, nothing empty.
 * The caller's messages are not changed; a valid list comes back as it is, and a second run changes nothing.
 * Makes one pass over the blocks.
 * @throws `CTX_INVALID_INPUT` where no message holds anything.
 */
export function prepareRequest(
  messages: readonly Message[],
  options: PrepareOptions,
): PreparedRequest {
  checkMessages(messages);
  const { system, windowTokens = 200_000, reserveTokens = 8000 } = options;
  const meter = options.meter ?? createSegmentMeter(options.countTokens);
  const valid = validateMessages(messages).length === 0;
  const mended = valid ? { messages, repairs: [] } : repairMessages(messages);
  if (mended.messages.length === 0) {
    throw new CtxError('CTX_INVALID_INPUT', 'a request needs a message with content');
  }
  const segments = meter.segments(system, mended.messages);
  const tokens = segments.reduce((sum, segment) => sum + segment.tokens, 0);
  return { ...mended, tokens, fits: tokens <= windowTokens - reserveTokens };
}
