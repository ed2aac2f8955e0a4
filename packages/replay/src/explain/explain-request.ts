import { CtxError } from '@ctx/core';
import { stepsOf } from '../replay-session.ts';
import type { Conversation } from './conversation.ts';
import { explainStored } from './explain-stored.ts';
import type { ExplainedRequest, ExplainedSegment } from './explained.ts';
import { type PlayOptions, playConversation } from './play-conversation.ts';

/** Which request is explained, and how it was made. */
export interface ExplainOptions extends Omit<PlayOptions, 'startedAt' | 'onStep' | 'requests'> {
  /** From 1. Default: the last. */
  readonly request?: number;
}

/**
 * Names results that the conversation has no output of by the messages of their call: the output that the window made for them is gone
 * with it.
 */
function withLastingAddresses(
  segments: readonly ExplainedSegment[],
  { session, pointers }: Conversation,
): ExplainedSegment[] {
  const kept = new Set(pointers.values());
  const calls = new Map(
    session.messages.flatMap(({ content }, place) =>
      content.flatMap((block) => (block.type === 'tool_use' ? [[block.id, place] as const] : [])),
    ),
  );
  return segments.map((segment) => {
    const { block, place, reason } = segment;
    if (block.type !== 'tool_result' || kept.has(reason.pointer)) return segment;
    const from = calls.get(block.toolUseId) ?? place;
    const pointer = `ctx://messages/${String(from)}-${String(place)}`;
    return { ...segment, reason: { ...reason, pointer } };
  });
}

/**
 * Sends the conversation through a window, request by request at the times it was recorded, and explains one of them.
 * @throws `CTX_INVALID_ADDRESS` for a request that there is not; `CTX_WINDOW_OVERFLOW`.
 */
export async function explainRequest(
  conversation: Conversation,
  { request, ...options }: ExplainOptions,
): Promise<ExplainedRequest> {
  const { session } = conversation;
  const steps = stepsOf(session).length;
  const requests = Math.max(1, steps);
  if (request !== undefined && request > requests) {
    throw new CtxError('CTX_INVALID_ADDRESS', `there are ${String(requests)} requests`);
  }
  const played = steps === 0 ? {} : { requests: request ?? steps };
  const store = await playConversation(conversation, { ...options, ...played });
  try {
    const explained = await explainStored(store, session.id, {});
    if (explained === undefined) {
      throw new CtxError('CTX_INVALID_ADDRESS', 'the conversation holds no messages');
    }
    const segments = withLastingAddresses(explained.segments, conversation);
    return { ...explained, segments, request: request ?? requests, requests };
  } finally {
    await store.close();
  }
}
