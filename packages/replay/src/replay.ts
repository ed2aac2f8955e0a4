import { CtxError, type Message, type TokenCounter } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { type CachePrice, createSegmentMeter, type RecordOptions } from '@ctx/truncation';
import { createEvidenceMeter, type EvidenceMeter } from './measure-evidence.ts';
import { createNameMeter, type NameMeter } from './measure-names.ts';
import { createRereadMeter, type RereadMeter } from './measure-rereads.ts';
import { type AnswerNeeds, type PolicyLane, startLane } from './policy-lane.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import type { CompactWindow, Hindsight, ReplayPolicy } from './replay-policy.ts';
import type { ReplayReport } from './replay-report.ts';
import { type ReplaySession, type ReplayStep, stepsOf } from './replay-session.ts';

/** One request as a policy rendered it. */
export interface ReplayedRequest {
  readonly policy: string;
  /** ms from the first request. */
  readonly time: number;
  readonly system: string | undefined;
  readonly messages: readonly Message[];
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** What the policy's requests have cost so far, this one and its answer among them. */
  readonly dollars: number;
}

export interface ReplayOptions {
  /** Where the tool outputs of the session go. */
  readonly store: ContextStore;
  readonly policies: readonly ReplayPolicy[];
  /** What requests are priced with. */
  readonly price: CachePrice;
  /** What policies plan with. Default: `price`. */
  readonly plannedPrice?: CachePrice;
  /** Default 200,000. */
  readonly windowTokens?: number;
  readonly countTokens: TokenCounter;
  /** How the `ctx` policies compact their window: `automaticCompaction` of `@ctx/agent-adapter`. */
  readonly compactWindow: CompactWindow;
  readonly record?: RecordOptions;
  /** Called for each request of each policy, in order; the next one waits for it. */
  readonly onRequest?: (request: ReplayedRequest) => void | Promise<void>;
  /** Called after each step. */
  readonly onProgress?: (progress: { readonly step: number; readonly steps: number }) => void;
  readonly signal?: AbortSignal;
}

/** Everything that is measured, each once for all policies. */
interface Meters {
  readonly meter: ReturnType<typeof createSegmentMeter>;
  readonly evidence: EvidenceMeter;
  readonly rereads: RereadMeter;
  readonly names: NameMeter;
}

function createMeters({ system }: ReplaySession, countTokens: TokenCounter): Meters {
  const meter = createSegmentMeter(countTokens);
  const evidence = createEvidenceMeter();
  const tokensOf = (message: Message): number => meter.tokensOf(message);
  const rereads = createRereadMeter({ tokensOf, evidence });
  return { meter, evidence, rereads, names: createNameMeter(system) };
}

/** Records the whole session at once, where a policy needs to know how it ends. */
async function lookAhead(
  { messages }: ReplaySession,
  steps: readonly ReplayStep[],
  recorder: Recorder,
): Promise<Hindsight> {
  const outputs = [];
  for (const message of messages) outputs.push(await recorder.record(message));
  return { messages, outputs, steps };
}

interface LaneStart extends Meters {
  readonly hindsight: Hindsight | undefined;
}

function startLanes(
  session: ReplaySession,
  options: ReplayOptions,
  { hindsight, ...meters }: LaneStart,
): PolicyLane[] {
  const { policies, price, plannedPrice = price, windowTokens = 200_000 } = options;
  const { countTokens, compactWindow } = options;
  const { system } = session;
  const fixedTokens = meters.meter
    .segments(system, [])
    .reduce((sum, { tokens }) => sum + tokens, 0);
  const tokensOf = (message: Message): number => meters.meter.tokensOf(message);
  const known = {
    ...{ windowTokens, fixedTokens, tokensOf, countTokens, compactWindow },
    price: plannedPrice,
  };
  return policies.map((policy) => {
    const knowsAll = policy.needsHindsight === true && hindsight !== undefined;
    const context = knowsAll ? { ...known, hindsight } : known;
    return startLane({ policy, context, price, ...meters });
  });
}

/** What an answer rested on; `next` is the place of the answer after it. */
function needsOf(
  { messages, system }: ReplaySession,
  { answerIndex, answerEnd, time }: ReplayStep,
  { meter, evidence, rereads, names, next }: Meters & { readonly next: number | undefined },
): Omit<AnswerNeeds, 'storedText'> {
  const answer = messages.slice(answerIndex, answerEnd);
  return {
    time,
    system,
    outputTokens: answer.reduce((sum, message) => sum + meter.tokensOf(message), 0),
    edits: evidence.needsOf(answer, messages.slice(0, answerIndex)),
    rereads: rereads.needsOf(answer, messages.slice(answerEnd, next)),
    names: names.needsOf(answer),
  };
}

/**
 * Feeds a recorded session through ctx step by step, as an agent would: every tool result goes through the store, every
 * policy renders every request, and each request is priced, validated and searched for what the answer's edits rested on.
 * The session is not changed; equal sessions and options give equal reports.
 * Takes time in proportion to requests × blocks in view, and holds one session in memory.
 * @throws `CTX_ABORTED`, `CTX_INVALID_INPUT` and the store's codes.
 */
export async function replaySession(
  session: ReplaySession,
  options: ReplayOptions,
): Promise<ReplayReport> {
  const meters = createMeters(session, options.countTokens);
  const recorder = createRecorder(session.id, options);
  const steps = stepsOf(session);
  const needsHindsight = options.policies.some((policy) => policy.needsHindsight === true);
  const hindsight = needsHindsight ? await lookAhead(session, steps, recorder) : undefined;
  const lanes = startLanes(session, options, { ...meters, hindsight });
  let inserted = 0;
  const insertUpTo = async (end: number): Promise<void> => {
    for (const [index, message] of session.messages.slice(inserted, end).entries()) {
      const outputs = hindsight?.outputs[inserted + index] ?? (await recorder.record(message));
      meters.rereads.take(message);
      meters.names.take(message);
      for (const lane of lanes) lane.insert(message, outputs);
    }
    inserted = Math.max(inserted, end);
  };
  for (const [index, step] of steps.entries()) {
    if (options.signal?.aborted === true) {
      throw new CtxError('CTX_ABORTED', `the replay stopped at request ${String(index)}`);
    }
    await insertUpTo(step.answerIndex);
    const next = steps[index + 1]?.answerIndex;
    const storedText = (id: string) => recorder.storedText(id);
    const needs = { ...needsOf(session, step, { ...meters, next }), storedText };
    const { time, system, outputTokens } = needs;
    for (const lane of lanes) {
      const request = await lane.request(needs);
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
