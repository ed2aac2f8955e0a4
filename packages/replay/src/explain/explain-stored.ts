import { CtxError } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import {
  openSessionWindow,
  type SegmentReason,
  type SessionLog,
  type SessionWindow,
  sessionLog,
} from '@ctx/truncation';
import type { ExplainedRequest, ExplainedSegment } from './explained.ts';

/** Which request is explained. */
export interface StoredOptions {
  /** From 1. Default: the window as it stands. */
  readonly at?: number;
}

interface Reasons {
  readonly reasons: readonly SegmentReason[];
  /** The event that ends what is explained; absent for the window as it stands. */
  readonly place?: number;
  readonly request: number;
  readonly requests: number;
}

async function reasonsOf(window: SessionWindow, at: number | undefined): Promise<Reasons> {
  const places = await sessionLog(window.store, window.sessionId).requests();
  const requests = Math.max(1, places.length);
  if (at === undefined) return { reasons: window.explain(), request: requests, requests };
  const place = places[at - 1];
  if (place !== undefined) {
    return { reasons: await window.explainAt(place), place, request: at, requests };
  }
  throw new CtxError('CTX_INVALID_ADDRESS', `there are ${String(places.length)} requests`);
}

async function segmentsOf(
  store: ContextStore,
  sessionId: string,
  reasons: readonly SegmentReason[],
): Promise<ExplainedSegment[]> {
  const last = reasons.at(-1);
  if (last === undefined) return [];
  const messages = await sessionLog(store, sessionId).messages({ from: 0, to: last.message });
  const blocks = messages.flatMap(({ index, message }) =>
    message.content.map((block) => ({ message, block, place: index })),
  );
  return reasons.flatMap((reason, index): ExplainedSegment[] => {
    const found = blocks[index];
    return found === undefined ? [] : [{ reason, ...found }];
  });
}

type SessionView = Awaited<ReturnType<SessionLog['view']>>;

type FixedTokens = Pick<ExplainedRequest, 'systemTokens' | 'toolTokens' | 'fixedTokens'>;

/** What stands before the messages, by part as far as the agent told it. */
function fixedOf({ fixedTokens, fixed }: SessionView): FixedTokens {
  if (fixed === undefined) return { systemTokens: 0, toolTokens: 0, fixedTokens };
  const { system, tools, unnamed } = fixed;
  const toolTokens = tools.reduce((sum, { tokens }) => sum + tokens, unnamed?.tokens ?? 0);
  return { systemTokens: system, toolTokens, fixedTokens: fixedTokens - system - toolTokens };
}

/**
 * Explains the window that an agent keeps in the store, as it stands or at one of its requests; `undefined` where the session
 * has none. Writes nothing. Reads the log, and the results in it.
 * @throws `CTX_INVALID_INPUT` for a request that there is not.
 */
export async function explainStored(
  store: ContextStore,
  sessionId: string,
  { at }: StoredOptions,
): Promise<ExplainedRequest | undefined> {
  const window = await openSessionWindow({ store, sessionId });
  try {
    if (window.explain().length === 0) return undefined;
    const { reasons, place, request, requests } = await reasonsOf(window, at);
    const segments = await segmentsOf(store, sessionId, reasons);
    const view = await sessionLog(store, sessionId).view(place);
    const { tokens, windowTokens, limitTokens } = view;
    return { request, requests, tokens, windowTokens, limitTokens, ...fixedOf(view), segments };
  } finally {
    await window.close();
  }
}
