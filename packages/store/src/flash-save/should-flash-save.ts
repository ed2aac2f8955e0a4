import { CtxError } from '@ctx/core';
import { type FlashSavePolicy, flashSavePolicy } from './flash-save-policy.ts';

/** A request as it would be sent. */
export interface MeasuredRequest {
  /** Tokens of the real request: system prompt, tools and messages. */
  readonly requestTokens: number;
  /** Most tokens that it may have. */
  readonly limit: number;
  /** ms since the epoch. */
  readonly now: number;
}

/** What is remembered from one request to the next. */
export interface FlashSaveMemory {
  /** Whether one may become due: it was not yet, or the requests have been small enough since. */
  readonly isArmed: boolean;
  /** When the last one was due, ms since the epoch. */
  readonly lastAt?: number;
  /** Tokens of the smallest request since then. */
  readonly lowTokens?: number;
}

export const firstFlashSaveMemory: FlashSaveMemory = { isArmed: true };

/** `due`: save now. `below`: under the trigger. `not-rearmed`: still large since the last one. `too-soon`: within the interval. */
export type FlashSaveReason = 'due' | 'below' | 'not-rearmed' | 'too-soon';

/** Whether a flash save is due, why, and what to remember. */
export interface FlashSaveDecision {
  readonly isDue: boolean;
  readonly reason: FlashSaveReason;
  /** Hand it in the next time: nothing else is remembered. */
  readonly memory: FlashSaveMemory;
  /** Share of the limit that the request takes. */
  readonly share: number;
}

function isTooSoon({ lastAt }: FlashSaveMemory, now: number, minIntervalMs: number): boolean {
  if (lastAt === undefined) return false;
  const since = now - lastAt;
  // A clock that went backwards says nothing of how long it was.
  return since >= 0 && since < minIntervalMs;
}

/**
 * Decides before each call of the model whether to flash save.
 * Pure. Once due, not again before `minIntervalMs` and a request below `rearmShare` or one that has grown by `growthShare`:
 * what cannot shrink does not save for ever, and what grows on does not grow past the limit unseen.
 * @throws `CTX_INVALID_OPTION` for a limit or tokens that make no sense.
 */
export function shouldFlashSave(
  { requestTokens, limit, now }: MeasuredRequest,
  memory: FlashSaveMemory,
  policy: FlashSavePolicy,
): FlashSaveDecision {
  if (!(limit > 0)) throw new CtxError('CTX_INVALID_OPTION', 'limit must be a number above 0');
  if (!(requestTokens >= 0)) {
    throw new CtxError('CTX_INVALID_OPTION', 'requestTokens must be a number from 0');
  }
  const share = requestTokens / limit;
  const lowTokens = Math.min(memory.lowTokens ?? Infinity, requestTokens);
  const hasGrown = requestTokens - lowTokens >= policy.growthShare * limit;
  const isArmed = memory.isArmed || share < policy.rearmShare || hasGrown;
  const waiting = { isDue: false, memory: { ...memory, isArmed, lowTokens }, share };
  if (share < policy.triggerShare) return { ...waiting, reason: 'below' };
  if (!isArmed) return { ...waiting, reason: 'not-rearmed' };
  if (isTooSoon(memory, now, policy.minIntervalMs)) return { ...waiting, reason: 'too-soon' };
  return { isDue: true, reason: 'due', memory: { isArmed: false, lastAt: now }, share };
}

/**
 * Returns what decides before each call of the model whether a flash save is due, and remembers what it decided: one for each session.
 *
 * @throws `CTX_INVALID_OPTION` for a policy that makes no sense, here; for a request that makes none, when it is asked
 */
export function flashSaveTrigger(
  given?: Partial<FlashSavePolicy>,
): (request: MeasuredRequest) => Omit<FlashSaveDecision, 'memory'> {
  const policy = flashSavePolicy(given);
  let memory = firstFlashSaveMemory;
  return (request) => {
    const { memory: next, ...decision } = shouldFlashSave(request, memory, policy);
    memory = next;
    return decision;
  };
}
