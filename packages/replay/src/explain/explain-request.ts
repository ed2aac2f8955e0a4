import { CtxError, type TokenCounter } from '@ctx/core';
import { countRequest } from '@ctx/tokens';
import {
  type CachePrice,
  createSegmentMeter,
  describeCall,
  limitTokensOf,
  openWindow,
  previewTexts,
  type Window,
  type WindowMode,
  windowModes,
} from '@ctx/truncation';
import { stepsOf } from '../replay-session.ts';
import type { Conversation } from './conversation.ts';
import type { ExplainedRequest, ExplainedSegment } from './explained.ts';

/** Which request is explained, and how it was made. */
export interface ExplainOptions {
  /** From 1. Default: the last. */
  readonly request?: number;
  readonly mode: WindowMode;
  readonly windowTokens: number;
  readonly price: CachePrice;
  readonly countTokens: TokenCounter;
}

/** Tokens of what stands beside the messages, counted as `ctx replay` does. */
function fixedSizes({ session, tools }: Conversation, countTokens: TokenCounter) {
  const { system = '' } = session;
  const options = { counter: countTokens };
  const { systemTokens } = countRequest({ system, messages: [] }, options);
  const { toolTokens } = countRequest({ tools, messages: [] }, options);
  return { systemTokens, toolTokens };
}

/** Plays the conversation up to a request. */
function play(window: Window, conversation: Conversation, request: number): Window {
  const { session } = conversation;
  const pointers = Object.fromEntries(conversation.pointers);
  const steps = stepsOf(session);
  let inserted = 0;
  const insertUpTo = (end: number): void => {
    for (; inserted < end; inserted += 1) {
      const message = session.messages[inserted];
      if (message !== undefined) window.insert(message, pointers);
    }
  };
  for (const { answerIndex, time } of steps.slice(0, request)) {
    insertUpTo(answerIndex);
    window.request(time);
  }
  if (steps.length > 0) return window;
  insertUpTo(session.messages.length);
  window.request(0);
  return window;
}

function segmentsOf({ session }: Conversation, window: Window): ExplainedSegment[] {
  const blocks = session.messages.flatMap((message, place) =>
    message.content.map((block) => ({ message, block, place })),
  );
  // The history is mended, so that the window logs block for block what it was given.
  return window.explain().flatMap((reason, index): ExplainedSegment[] => {
    const found = blocks[index];
    return found === undefined ? [] : [{ reason, ...found }];
  });
}

/**
 * Sends the conversation through a window, request by request at the times it was recorded, and explains one of them. Pure. Goes through
 * the requests up to that one.
 * @throws `CTX_INVALID_INPUT` for a request that there is not; `CTX_WINDOW_OVERFLOW`.
 */
export function explainRequest(
  conversation: Conversation,
  options: ExplainOptions,
): ExplainedRequest {
  const { mode, windowTokens, price, countTokens } = options;
  const requests = Math.max(1, stepsOf(conversation.session).length);
  const { request = requests } = options;
  if (request > requests) {
    throw new CtxError('CTX_INVALID_ADDRESS', `there are ${String(requests)} requests`);
  }
  const meter = createSegmentMeter(countTokens);
  const fixed = fixedSizes(conversation, countTokens);
  const policy = windowModes[mode];
  const window = openWindow({
    policy,
    windowTokens,
    fixedTokens: fixed.systemTokens + fixed.toolTokens,
    tokensOf: (message) => meter.tokensOf(message),
    previewText: previewTexts({ countTokens, readHint: () => '' }),
    describeCall,
    price,
    sharesMessages: true,
  });
  const segments = segmentsOf(conversation, play(window, conversation, request));
  const tokens = segments.reduce(
    (sum, { reason }) => sum + reason.tokens,
    fixed.systemTokens + fixed.toolTokens,
  );
  const limitTokens = limitTokensOf(policy, windowTokens);
  return { request, requests, tokens, windowTokens, limitTokens, ...fixed, segments };
}
