import { type ContextStore, CtxError, type Message, type TokenCounter } from '@ctx/core';
import type { CachePrice } from '@ctx/truncation/cost';
import type { RecordOptions } from '../record-tool-output.ts';
import { createEvidenceMeter, type EvidenceMeter } from './measure-evidence.ts';
import { createSegmentMeter, type SegmentMeter, tokensPerMessage } from '../measure-segments.ts';
import { type PolicyLane, startLane } from './policy-lane.ts';
import { createRecorder } from './recorder.ts';
import type { ReplayPolicy } from './replay-policy.ts';
import type { ReplayReport } from './replay-report.ts';
import { type ReplaySession, stepsOf } from './replay-session.ts';

/** One request as a policy rendered it. */
export interface ReplayedRequest {
  readonly policy: string;
  /** ms from the first request. */
  readonly time: number;
  readonly system: string | undefined;
  readonly messages: readonly Message[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface ReplayOptions {
  /** Where the tool outputs of the session go. */
  readonly store: ContextStore;
  readonly policies: readonly ReplayPolicy[];
  readonly price: CachePrice;
  /** Default 200,000. */
  readonly windowTokens?: number;
  readonly countTokens: TokenCounter;
  readonly record?: RecordOptions;
  /** Called for each request of each policy, in order; the next one waits for it. */
  readonly onRequest?: (request: ReplayedRequest) => void | Promise<void>;
  /** Called after each step. */
  readonly onProgress?: (progress: { readonly step: number; readonly steps: number }) => void;
  readonly signal?: AbortSignal;
}

function startLanes(
  session: ReplaySession,
  options: ReplayOptions,
  meters: { readonly meter: SegmentMeter; readonly evidence: EvidenceMeter },
): PolicyLane[] {
  const { policies, price, countTokens, windowTokens = 200_000 } = options;
  const { system } = session;
  const fixedTokens = system === undefined ? 0 : countTokens(system) + tokensPerMessage;
  const tokensOf = (message: Message): number => meters.meter.tokensOf(message);
  const context = { windowTokens, fixedTokens, tokensOf, countTokens, price };
  return policies.map((policy) => startLane({ policy, context, price, ...meters }));
}

/**
 * Feeds a recorded session through ctx step by step, as an agent would: every tool result goes through the store, every
 * policy renders every request, and each request is priced, validated and searched for what the answer's edits rested on.
 * Contract: the session is not changed; equal sessions and options give equal reports.
 * Cost: requests × blocks in view; memory of one session. Throws: `CTX_ABORTED`, `CTX_INVALID_INPUT` and the store's codes.
 */
export async function replaySession(
  session: ReplaySession,
  options: ReplayOptions,
): Promise<ReplayReport> {
  const meter = createSegmentMeter(options.countTokens);
  const evidence = createEvidenceMeter();
  const lanes = startLanes(session, options, { meter, evidence });
  const recorder = createRecorder(session.id, options);
  const steps = stepsOf(session);
  let inserted = 0;
  const insertUpTo = async (end: number): Promise<void> => {
    for (const message of session.messages.slice(inserted, end)) {
      const outputs = await recorder.record(message);
      for (const lane of lanes) lane.insert(message, outputs);
    }
    inserted = Math.max(inserted, end);
  };
  for (const [index, { answerIndex, answerEnd, time }] of steps.entries()) {
    if (options.signal?.aborted === true) {
      throw new CtxError('CTX_ABORTED', `the replay stopped at request ${String(index)}`);
    }
    await insertUpTo(answerIndex);
    const answer = session.messages.slice(answerIndex, answerEnd);
    const needs = {
      time,
      system: session.system,
      outputTokens: answer.reduce((sum, message) => sum + meter.tokensOf(message), 0),
      edits: evidence.needsOf(answer, session.messages.slice(0, answerIndex)),
      storedText: (id: string) => recorder.storedText(id),
    };
    for (const lane of lanes) {
      const request = await lane.request(needs);
      const { system, outputTokens } = needs;
      await options.onRequest?.({ policy: lane.name, time, system, outputTokens, ...request });
    }
    options.onProgress?.({ step: index + 1, steps: steps.length });
  }
  await insertUpTo(session.messages.length);
  const results = await recorder.results();
  return {
    sessionId: session.id,
    requests: steps.length,
    messages: session.messages.length,
    saved: recorder.saved(),
    policies: lanes.map((lane) => lane.report(results)),
  };
}
