import { CtxError, isCtxError } from '@ctx/core';
import { isColdAt } from './apply-event.ts';
import { compactionTail, cutPlace } from './compact/cut-place.ts';
import {
  type CompactionMeasures,
  compactionRegretOf,
  mostFailures,
} from './compact/plan-compaction-moment.ts';
import { draftFlush } from './leave/apply-flush.ts';
import { payingSuffix } from './leave/paying-suffix.ts';
import { type FlushDecision, planFlush } from './leave/plan-flush.ts';
import type { RequestParts } from './log/request-parts.ts';
import { changedPart } from './observe/cache-report.ts';
import type { RequestedEvent, WindowEvent } from './window-event.ts';
import { limitTokens, projectedTokens, type WindowState } from './window-state.ts';

/** Tokens that a summary has, where nothing is known. Source: the median of compactions in recorded sessions. */
const usualSummary = 3000;

/** Price of a token of the answer, where nothing is known. */
const usualOutput = 5;

/** How many times its penalty a compaction must have cost by not being made: it takes words that nothing brings back at once. */
const compactionPatience = 6;

/** What a request is made for. */
export interface RequestMoment {
  /** ms since the epoch. */
  readonly now: number;
  readonly parts: RequestParts;
}

function decide(state: WindowState, { now, parts }: RequestMoment): FlushDecision {
  const { queue, log, price } = state;
  queue.advance();
  const { leavingTokens, firstSegment } = queue;
  const isCold = isColdAt(state, now) || changedPart(state.parts, parts) !== undefined;
  const cold = isCold ? queue.coldPairs() : [];
  const coldLeavingTokens = cold.reduce((sum, pair) => sum + pair.leavingTokens, leavingTokens);
  const behind = Number.isFinite(firstSegment) ? log.tokensFrom(firstSegment) : 0;
  const decision = planFlush(
    {
      projectedTokens: projectedTokens(state),
      limitTokens: limitTokens(state),
      isCold,
      leavingTokens,
      coldLeavingTokens,
      survivingTokens: Math.max(0, behind - leavingTokens),
      regret: state.regret,
      price,
    },
    state.policy(),
  );
  const isForced = decision.cause === 'hard' || decision.cause === 'free';
  return isForced ? decision : economic(state, price.read * leavingTokens);
}

/** What leaves because it pays, and the regret that is left after it. `added`: what waiting for this request costs. */
function economic(state: WindowState, added: number): FlushDecision {
  const { queue, log, price, requests, regret } = state;
  const { candidates } = queue;
  const input = {
    candidates,
    tokensFrom: (segment: number) => log.tokensFrom(segment),
    request: requests,
    price,
  };
  const suffix = payingSuffix(input, state.policy());
  if (suffix === undefined) return { penalty: 0, regret: regret + added };
  const { pairs, penalty, regret: paid } = suffix;
  return { cause: 'economic', pairs, penalty, regret: Math.max(0, regret + added - paid) };
}

/** What stands for a compaction, and against it. `summaryTokens`: size that a summary is expected to have. */
export function compactionMeasures(
  state: WindowState,
  summaryTokens: number = usualSummary,
): CompactionMeasures {
  const { log, price, fixedTokens, openCalls } = state;
  const policy = state.policy();
  const limit = limitTokens(state);
  const firstPlace = log.messages[cutPlace(log).from]?.first ?? Infinity;
  const newest = log.messages.at(-1);
  const hasAnswers = newest !== undefined && newest.unit !== log.messages.length - 1;
  return {
    requestTokens: projectedTokens(state),
    baseTokens: fixedTokens + log.tokensFrom(0) - log.tokensFrom(firstPlace),
    tailTokens: compactionTail(policy, limit) + state.queue.heldTokens,
    summaryTokens,
    limitTokens: limit,
    regret: state.compactionRegret,
    isTaskBoundary: openCalls.size === 0 && !hasAnswers,
    turnsSince: state.compactedTurn === undefined ? Infinity : state.turn - state.compactedTurn,
    price: { ...price, output: price.output ?? usualOutput },
    failures: state.compactionFailures,
    patience: Math.max(compactionPatience, policy.patience),
  };
}

/**
 * Decides what a request flushes.
 * Changes nothing but the queue's notes of what left the tail.
 * @throws `CTX_WINDOW_OVERFLOW`.
 */
export function draftRequest(state: WindowState, moment: RequestMoment): RequestedEvent {
  const decision = decide(state, moment);
  const { cause, regret } = decision;
  const { now: at, parts } = moment;
  const compactionRegret = state.compactionRegret + compactionRegretOf(compactionMeasures(state));
  const given = Object.keys(parts).length === 0 ? {} : { parts };
  const event: RequestedEvent = { type: 'requested', at, regret, compactionRegret, ...given };
  if (cause === undefined) return event;
  return { ...event, flush: draftFlush(state, cause, decision) };
}

/** @throws `CTX_WINDOW_STUCK` where one pass after the other made no room. */
export function checkBreaker(failures: number, what: string): void {
  if (failures < mostFailures) return;
  throw new CtxError(
    'CTX_WINDOW_STUCK',
    `${String(failures)} ${what} in a row made no room in the window`,
  );
}

/** The entry for a request that could not be made; `undefined` for a fault of another kind. */
export function failureOf({ failures }: WindowState, error: unknown): WindowEvent | undefined {
  if (!isCtxError(error, 'CTX_WINDOW_OVERFLOW')) return undefined;
  return { type: 'failed', what: 'request', failures: failures + 1 };
}
