import { CtxError } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { type SessionLog, sessionLog } from '@ctx/truncation';
import type { ExplainedRequest, ExplainedSegment } from './explained.ts';

/** Which request is explained. */
export interface StoredOptions {
  /** From 1. Default: the window as it stands. */
  readonly at?: number;
}

type SessionView = Awaited<ReturnType<SessionLog['view']>>;

interface AskedRequest {
  /** The event that stands for it; absent for the window as it stands. */
  readonly place?: number;
  readonly request: number;
  readonly requests: number;
}

async function askedRequest(log: SessionLog, at: number | undefined): Promise<AskedRequest> {
  const places = await log.requests();
  const requests = Math.max(1, places.length);
  if (at === undefined) return { request: requests, requests };
  const place = places[at - 1];
  if (place !== undefined) return { place, request: at, requests };
  throw new CtxError('CTX_INVALID_ADDRESS', `there are ${String(places.length)} requests`);
}

async function segmentsOf(
  log: SessionLog,
  reasons: SessionView['segments'],
): Promise<ExplainedSegment[]> {
  const last = reasons.at(-1);
  if (last === undefined) return [];
  const messages = await log.messages({ from: 0, to: last.message });
  const blocks = messages.flatMap(({ index, message }) =>
    message.content.map((block) => ({ message, block, place: index })),
  );
  return reasons.flatMap((reason, index): ExplainedSegment[] => {
    const found = blocks[index];
    return found === undefined ? [] : [{ reason, ...found }];
  });
}

type FixedTokens = Pick<ExplainedRequest, 'systemTokens' | 'toolTokens' | 'fixedTokens'>;

/** What stands before the messages, by part as far as the agent told it. */
function fixedOf({ fixedTokens, fixed }: SessionView): FixedTokens {
  if (fixed === undefined) return { systemTokens: 0, toolTokens: 0, fixedTokens };
  const { system, tools, unnamed } = fixed;
  const toolTokens = tools.reduce((sum, { tokens }) => sum + tokens, unnamed?.tokens ?? 0);
  const rest = fixedTokens - system - toolTokens;
  return { systemTokens: system, toolTokens, fixedTokens: rest < 0.5 ? 0 : rest };
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
  const log = sessionLog(store, sessionId);
  const { place, request, requests } = await askedRequest(log, at);
  const view = await log.view(place);
  if (view.segments.length === 0) return undefined;
  const segments = await segmentsOf(log, view.segments);
  const { tokens, windowTokens, limitTokens } = view;
  return { request, requests, tokens, windowTokens, limitTokens, ...fixedOf(view), segments };
}
