import { fingerprintText } from '@ctx/core/encoding';
import { isMarked, nameSession } from '../conversations/name-session.ts';
import type { Lane } from '../conversations/registry.ts';
import type { ReadRequest } from '../requests/read-request.ts';
import type { OpenProxy, Shaped } from './types.ts';

/** Another process wrote the log, or the store failed: what is in memory is no more what is stored. */
export async function forget(lane: Lane): Promise<void> {
  const { conversation } = lane;
  lane.conversation = undefined;
  if (conversation?.hasSent === true) lane.before = conversation;
  await conversation?.close().catch(() => undefined);
}

/** Whether a conversation is one of those that nothing is done to, to compare; said once, when it begins. */
export async function isHeldOut(
  { options: { store, holdout = 0 } }: OpenProxy,
  { lane, opened: { caller } }: Pick<Shaped, 'lane' | 'opened'>,
  request: ReadRequest,
): Promise<boolean> {
  const { sessionId } = lane;
  if (lane.isHeldOut !== undefined) return lane.isHeldOut;
  const mark = 'proxy_held_out';
  const isWanted = Number.parseInt(fingerprintText(sessionId).slice(0, 8), 16) < holdout * 2 ** 32;
  lane.isHeldOut = await isMarked(store, sessionId, { mark, isWanted });
  if (lane.isHeldOut) await nameSession(store, sessionId, { caller, request, mark });
  return lane.isHeldOut;
}

/** Logs a request that goes out unchanged. A store that fails does not stop it. */
export async function record(
  { options: { store, onFailure }, registry }: OpenProxy,
  { lane, opened }: Pick<Shaped, 'lane' | 'opened'>,
  request: ReadRequest,
): Promise<void> {
  const { sessionId } = lane;
  try {
    const conversation = await registry.opened(lane, opened);
    if (conversation.length === 0) {
      await nameSession(store, sessionId, { caller: opened.caller, request, mark: undefined });
    }
    await conversation.record(request);
  } catch (error) {
    await forget(lane);
    onFailure?.(`${sessionId}: the request could not be kept`, error);
  }
}
