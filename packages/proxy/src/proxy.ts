import { isCtxError } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';
import { windowModes } from '@ctx/truncation';
import type { Conversation, ShapedRequest } from './conversations/conversation.ts';
import { nameSession } from './conversations/name-session.ts';
import { createRegistry, inTurn, type Lane } from './conversations/registry.ts';
import { bodyOf } from './exchange/body-of.ts';
import { checkStore } from './exchange/check-given.ts';
import { answerOf, countFailed, heldOut, passed, unfollowed, watched } from './exchange/learn.ts';
import {
  type ClientRequest,
  createRequestReaders,
  type OpenedRequest,
  openRequest,
  toolsOf,
  withToolsBack,
} from './exchange/open-request.ts';
import type { Exchange, OpenProxy, ProxyOptions, Shaped } from './exchange/types.ts';
import { forget, isDrawn, isHeldOut, record } from './exchange/unshaped.ts';
import { answeredIn, withKnownAnswers } from './read-back/answered-request.ts';
import { type ReadRequest, readMessages } from './requests/read-request.ts';
import { addTotals, noTotals, type ProxyTotals } from './totals/account.ts';

/** Keeps the conversations that pass through it small. */
export interface Proxy {
  /** Decides what goes out for a request. Never rejects; what cannot be shaped goes out as it came. */
  exchange(request: ClientRequest): Promise<Exchange>;
  totals(): ProxyTotals;
  /** Counts a request that its caller passes on unread, and says why if that is given. */
  passOn(why?: string): void;
  /** The sessions that were served, in the order of their first request. */
  sessions(): readonly string[];
  /** Waits for what is being kept. The store stays open. */
  close(): Promise<void>;
}

async function shapeOnce(
  proxy: OpenProxy,
  { lane, opened }: Pick<Shaped, 'lane' | 'opened'>,
  request: ReadRequest,
): Promise<ShapedRequest> {
  const { store } = proxy.options;
  const conversation = await proxy.registry.opened(lane, opened);
  if (conversation.length === 0) {
    const { caller } = opened;
    const mark = lane.hasTool ? 'proxy_read_tool' : undefined;
    await nameSession(store, lane.sessionId, { caller, request, mark });
  }
  const answered = await answeredIn(proxy, { lane, opened }, request);
  return conversation.shape(answered, store.clock());
}

/** Shapes a request, again if another process wrote the log meanwhile. */
async function shape(
  proxy: OpenProxy,
  at: Pick<Shaped, 'lane' | 'opened'>,
  request: ReadRequest,
): Promise<ShapedRequest> {
  try {
    return await shapeOnce(proxy, at, request);
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_CONFLICT')) throw error;
    await forget(at.lane);
    return shapeOnce(proxy, at, request);
  }
}

function requestOf(
  { dialect, body, elements, model, start = [] }: OpenedRequest,
  lane: Lane,
): ReadRequest | undefined {
  const known = lane.known.length === 0 ? start : lane.known;
  const messages = readMessages(dialect, elements, known);
  if (messages === undefined) return undefined;
  lane.known = messages;
  lane.size = body.length;
  return {
    messages,
    ...lane.meter(body, dialect, model),
    answerTokens: dialect.answerTokensOf(body),
  };
}

/** Sent if nothing could be decided: the previous request with the new messages appended. */
async function failOpen(
  proxy: OpenProxy,
  { lane, opened, request }: Omit<Shaped, 'result'>,
  error: unknown,
): Promise<Exchange> {
  countFailed(proxy, lane, error);
  const decided = lane.conversation?.hasSent === true ? lane.conversation : lane.before;
  const elements = decided?.repeat(withKnownAnswers(lane, request));
  const body = bodyOf(lane, opened, elements);
  lane.sentWhole = request.messages.length;
  await forget(lane);
  return { ...unfollowed(proxy, lane), sessionId: lane.sessionId, ...body };
}

/** What to send after a refusal: less where it was too long, else what the client wrote. */
async function retryOf(
  proxy: OpenProxy,
  shaped: Shaped,
  { status, answer }: { readonly status: number; readonly answer: string },
): Promise<string | undefined> {
  const { lane, result, request, opened } = shaped;
  if (status !== 400 && status !== 413) return undefined;
  const conversation: Conversation | undefined = lane.conversation;
  const isTooLong = await conversation?.overflowed({ status, message: answer });
  if (conversation !== undefined && isTooLong === true) {
    const known = withKnownAnswers(lane, request);
    const again = await conversation.shape(known, proxy.options.store.clock());
    return bodyOf(lane, opened, again.elements).body;
  }
  if (bodyOf(lane, opened, result.elements).body === undefined || status !== 400) return undefined;
  lane.isWatched = true;
  await forget(lane); // Opened again, it takes what comes as the client writes it.
  proxy.count({ failedOpen: 1 });
  const line = `${lane.sessionId}: the provider refused the request; this conversation goes out as the client writes it`;
  proxy.options.onFailure?.(line, new Error(answer.slice(0, 500)));
  return opened.given ?? opened.body.slice();
}

function exchangeOf(proxy: OpenProxy, shaped: Shaped): Exchange {
  const { lane, opened, result } = shaped;
  let isTried = false;
  proxy.count({
    requests: 1,
    shaped: result.elements === undefined ? 0 : 1,
    flushes: result.flush === undefined ? 0 : 1,
  });
  return {
    ...bodyOf(lane, opened, result.elements),
    sessionId: lane.sessionId,
    refused: async (status, answer) => {
      if (isTried) return undefined;
      isTried = true;
      return inTurn(lane, () => retryOf(proxy, shaped, { status, answer })).catch(() => undefined);
    },
    answer: (contentType) => answerOf(proxy, shaped, contentType),
  };
}

/** Follows a request in its lane. The caller has its turn. */
async function followIn(proxy: OpenProxy, lane: Lane, given: OpenedRequest): Promise<Exchange> {
  const opened = withToolsBack(given, lane.tools);
  if (!given.isBare) lane.tools = toolsOf(given, lane.tools);
  const request = requestOf(opened, lane);
  if (request === undefined) {
    proxy.count({ passed: 1 });
    return passed;
  }
  proxy.sessions.add(lane.sessionId);
  if (proxy.options.watch === true || lane.isWatched) {
    record(proxy, { lane, opened }, request);
    return watched(proxy, lane);
  }
  try {
    if (await isHeldOut(proxy, { lane, opened }, request)) {
      record(proxy, { lane, opened }, request);
      return heldOut(proxy, lane);
    }
    const result = await shape(proxy, { lane, opened }, request);
    lane.before = undefined;
    return exchangeOf(proxy, { lane, opened, request, result });
  } catch (error) {
    return failOpen(proxy, { lane, opened, request }, error);
  }
}

/** Whether a lane may have the request: clients that name no conversation may begin two with the same words. */
async function belongsTo(
  { registry }: OpenProxy,
  lane: Lane,
  opened: OpenedRequest,
): Promise<boolean> {
  const { caller, startKeys, isAnswered } = opened;
  if (caller.conversation !== undefined || lane.isWatched) return true;
  try {
    const conversation = await registry.opened(lane, opened);
    const { length } = conversation;
    const isSame = conversation.common(startKeys) === Math.min(length, startKeys.length);
    return isSame && (isAnswered || length <= startKeys.length);
  } catch {
    return true; // Following it fails likewise, and says so.
  }
}

/** Follows a request: in the session of its first words, or, if another conversation has that, in one named by its first answer. */
async function follow(proxy: OpenProxy, opened: OpenedRequest): Promise<Exchange> {
  const lane = proxy.registry.laneOf(opened);
  const exchange = await inTurn(lane, async () =>
    (await belongsTo(proxy, lane, opened)) ? followIn(proxy, lane, opened) : undefined,
  );
  if (exchange !== undefined) return exchange;
  const { startKeys, isAnswered } = opened;
  // Without an answer there is nothing yet that tells it apart, and nothing that could be shaped.
  if (!isAnswered) {
    const { tool, watch } = proxy.options;
    const hasTool = tool === true && watch !== true && !isDrawn(proxy, opened);
    return { ...unfollowed(proxy, lane), ...bodyOf({ hasTool }, opened, undefined) };
  }
  const branched = { ...opened, branch: fingerprintText(startKeys.join()).slice(0, 8) };
  const other = proxy.registry.laneOf(branched);
  return inTurn(other, () => followIn(proxy, other, branched));
}

/**
 * Opens a proxy over a store, which stays the caller's. Nothing listens: hand each request to `exchange`.
 * @throws `CTX_INVALID_OPTION` for a store that is none.
 */
export function createProxy(given: ProxyOptions): Proxy {
  const options = Object(given) as ProxyOptions;
  const {
    store,
    policy = windowModes.default,
    tool = false,
    watch = false,
    openCharacters,
  } = options;
  checkStore(store);
  const isOffering = tool && !watch;
  const registry = createRegistry({ store, policy, isOffering, isWatching: watch, openCharacters });
  const read = createRequestReaders();
  let totals = noTotals;
  const proxy: OpenProxy = {
    options,
    registry,
    sessions: new Set(),
    count: (more) => {
      totals = addTotals(totals, more);
    },
  };
  return {
    exchange: async (request) => {
      try {
        const opened = openRequest(request, read);
        if (opened !== undefined) return await follow(proxy, opened);
      } catch (error) {
        options.onFailure?.('a request could not be read and goes out as it came', error);
      }
      proxy.count({ passed: 1 });
      return passed;
    },
    passOn: (why) => {
      proxy.count({ passed: 1 });
      if (why !== undefined) options.onFailure?.(why, undefined);
    },
    totals: () => totals,
    sessions: () => [...proxy.sessions],
    close: () => registry.close(),
  };
}
