import { setImmediate } from 'node:timers/promises';
import { isCtxError } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';
import { isMarked, nameSession } from '../conversations/name-session.ts';
import { inTurn, type Lane, type LaneRequest, sessionIdOf } from '../conversations/registry.ts';
import type { ReadRequest } from '../requests/read-request.ts';
import type { OpenProxy, Shaped } from './types.ts';

/** Another process wrote the log, or the store failed: what is in memory is no more what is stored. */
export async function forget(lane: Lane): Promise<void> {
  const { conversation } = lane;
  lane.conversation = undefined;
  if (conversation?.hasSent === true) lane.before = conversation;
  await conversation?.close().catch(() => undefined);
}

/**
 * Whether new conversations that begin with these words are held out. Those that no client names are parted by their first answer only, and
 * their first request has the tool, or not: so all that begin alike are.
 */
export function isDrawn(
  { options: { holdout = 0 } }: OpenProxy,
  { branch: _parted, ...begun }: LaneRequest,
): boolean {
  const drawn = fingerprintText(sessionIdOf(begun)).slice(0, 8);
  return Number.parseInt(drawn, 16) < holdout * 2 ** 32;
}

/** Whether a conversation is one of those that nothing is done to, to compare; said once, when it begins. */
export async function isHeldOut(
  proxy: OpenProxy,
  { lane, opened }: Pick<Shaped, 'lane' | 'opened'>,
  request: ReadRequest,
): Promise<boolean> {
  const { sessionId } = lane;
  if (lane.isHeldOut !== undefined) return lane.isHeldOut;
  const mark = 'proxy_held_out';
  const { store } = proxy.options;
  const isWanted = isDrawn(proxy, opened);
  lane.isHeldOut = await isMarked(store, lane, { mark, isWanted });
  if (lane.isHeldOut) {
    await nameSession(store, sessionId, { caller: opened.caller, request, mark });
  }
  return lane.isHeldOut;
}

async function recordNow(
  { options: { store, onFailure }, registry }: OpenProxy,
  { lane, opened, now }: Pick<Shaped, 'lane' | 'opened'> & { readonly now: number },
  request: ReadRequest,
): Promise<void> {
  const { sessionId } = lane;
  const conversation = await registry.opened(lane, opened);
  if (conversation.length === 0) {
    await nameSession(store, sessionId, { caller: opened.caller, request, mark: undefined });
  }
  if ((await conversation.record(request, now)) && !lane.isWatched) {
    const line = `${sessionId}: its requests went out smaller before; from now on they go out as the client writes them, and the provider's cache has less of them`;
    onFailure?.(line, undefined);
  }
}

/**
 * Logs a request that goes out unchanged, which does not wait for that: the next one of the lane does. A store that fails does not stop it.
 * The caller has the lane's turn.
 */
export function record(
  proxy: OpenProxy,
  given: Pick<Shaped, 'lane' | 'opened'>,
  request: ReadRequest,
): void {
  const { lane } = given;
  const at = { ...given, now: proxy.options.store.clock() };
  const write = async (): Promise<void> => {
    await setImmediate(); // The request's bytes go first.
    try {
      await recordNow(proxy, at, request).catch(async (error: unknown) => {
        if (!isCtxError(error, 'CTX_STORE_CONFLICT')) throw error;
        await forget(lane);
        await recordNow(proxy, at, request);
      });
    } catch (error) {
      await forget(lane);
      proxy.options.onFailure?.(`${lane.sessionId}: the request could not be kept`, error);
    }
  };
  void inTurn(lane, write);
}
