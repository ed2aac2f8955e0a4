import type { ContextStore } from '@ctx/core';
import {
  limitTokensOf,
  openSessionWindow,
  readMessages,
  type SegmentReason,
  windowModes,
} from '@ctx/truncation';
import type { ExplainedRequest, ExplainedSegment } from './explained.ts';

async function countRequests({ events }: ContextStore, sessionId: string): Promise<number> {
  let count = 0;
  for await (const { type } of events.read(sessionId)) if (type === 'window-requested') count += 1;
  return count;
}

async function segmentsOf(
  store: ContextStore,
  sessionId: string,
  reasons: readonly SegmentReason[],
): Promise<ExplainedSegment[]> {
  const last = reasons.at(-1);
  if (last === undefined) return [];
  const messages = await readMessages(store, sessionId, { from: 0, to: last.message });
  const blocks = messages.flatMap(({ index, message }) =>
    message.content.map((block) => ({ message, block, place: index })),
  );
  return reasons.flatMap((reason, index): ExplainedSegment[] => {
    const found = blocks[index];
    return found === undefined ? [] : [{ reason, ...found }];
  });
}

/**
 * Explains the window that an agent keeps in the store, as it stands; `undefined` where the session has none.
 * Contract: writes nothing. Cost: the log, and the results in it.
 */
export async function explainStored(
  store: ContextStore,
  sessionId: string,
  windowTokens: number,
): Promise<ExplainedRequest | undefined> {
  const window = await openSessionWindow({ store, sessionId });
  try {
    const segments = await segmentsOf(store, sessionId, window.explain());
    if (segments.length === 0) return undefined;
    const requests = Math.max(1, await countRequests(store, sessionId));
    const tokens = segments.reduce((sum, { reason }) => sum + reason.tokens, 0);
    const limitTokens = limitTokensOf(windowModes.default, windowTokens);
    const fixed = { systemTokens: 0, toolTokens: 0 };
    return { request: requests, requests, tokens, limitTokens, ...fixed, segments };
  } finally {
    await window.close();
  }
}
