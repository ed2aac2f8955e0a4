import {
  type ContextStore,
  CtxError,
  type Message,
  outputText,
  type TokenCounter,
  type ToolUseBlock,
} from '@ctx/core';
import type { CachePrice } from '@ctx/truncation/cost';
import {
  type RecordedOutput,
  type RecordOptions,
  recordToolOutput,
} from '../record-tool-output.ts';
import { createEvidenceMeter, type IndexedText, indexText } from './measure-evidence.ts';
import { createSegmentMeter, type SegmentMeter, tokensPerMessage } from '../measure-segments.ts';
import { type PolicyLane, type RecoverableResult, startLane } from './policy-lane.ts';
import type { ReplayPolicy } from './replay-policy.ts';
import type { ReplayReport, SavedTotal } from './replay-report.ts';
import { type ReplaySession, stepsOf } from './replay-session.ts';
import { isSameResult, resultValueOf } from './result-value.ts';

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

/** Stores results as they come in, and remembers what became of them. */
interface Recorder {
  record(message: Message): Promise<ReadonlyMap<string, RecordedOutput>>;
  storedText(outputId: string): Promise<IndexedText>;
  results(): Promise<readonly RecoverableResult[]>;
  saved(): SavedTotal;
}

function createRecorder(sessionId: string, { store, record }: ReplayOptions): Recorder {
  const calls = new Map<string, ToolUseBlock>();
  const texts = new Map<string, IndexedText>();
  const results: Omit<RecoverableResult, 'readsBack'>[] = [];
  const saved = { outputs: 0, bytes: 0, offloaded: 0, shared: 0, redacted: 0 };
  const note = ({ offloaded, receipt }: RecordedOutput): void => {
    saved.outputs += 1;
    saved.bytes += receipt.pointer.bytes;
    saved.offloaded += offloaded ? 1 : 0;
    saved.shared += receipt.sameAs === undefined ? 0 : 1;
    saved.redacted += receipt.redaction.total;
  };
  return {
    record: async (message) => {
      const outputs = new Map<string, RecordedOutput>();
      for (const block of message.content) {
        if (block.type === 'tool_use') calls.set(block.id, block);
        if (block.type !== 'tool_result') continue;
        const call = calls.get(block.toolUseId);
        const output = await recordToolOutput(
          store,
          {
            sessionId,
            toolName: call?.name ?? 'unknown',
            args: call?.input ?? {},
            result: resultValueOf(block),
          },
          record,
        );
        outputs.set(block.toolUseId, output);
        results.push({ block, outputId: output.receipt.pointer.id });
        note(output);
      }
      return outputs;
    },
    storedText: async (id) => {
      const known = texts.get(id);
      if (known !== undefined) return known;
      const output = await store.outputs.load({ sessionId, id });
      const text = indexText(output === undefined ? '' : outputText(output.result));
      texts.set(id, text);
      return text;
    },
    results: async () => {
      const checked: RecoverableResult[] = [];
      for (const result of results) {
        const output = await store.outputs.load({ sessionId, id: result.outputId });
        const readsBack = output !== undefined && isSameResult(result.block, output.result);
        checked.push({ ...result, readsBack });
      }
      return checked;
    },
    saved: () => ({ ...saved }),
  };
}

function startLanes(
  session: ReplaySession,
  options: ReplayOptions,
  meter: SegmentMeter,
): PolicyLane[] {
  const { policies, price, countTokens, windowTokens = 200_000 } = options;
  const { system } = session;
  const fixedTokens = system === undefined ? 0 : countTokens(system) + tokensPerMessage;
  const evidence = createEvidenceMeter();
  const context = { windowTokens, fixedTokens, tokensOf: meter.tokensOf };
  return policies.map((policy) => startLane({ policy, context, price, meter, evidence }));
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
  const lanes = startLanes(session, options, meter);
  const recorder = createRecorder(session.id, options);
  const needsOf = createEvidenceMeter().needsOf;
  const steps = stepsOf(session);
  let inserted = 0;
  const insertUpTo = async (end: number): Promise<void> => {
    for (const message of session.messages.slice(inserted, end)) {
      const outputs = await recorder.record(message);
      for (const lane of lanes) lane.insert(message, outputs);
    }
    inserted = Math.max(inserted, end);
  };
  for (const [index, { answerIndex, time }] of steps.entries()) {
    if (options.signal?.aborted === true) {
      throw new CtxError('CTX_ABORTED', `the replay stopped at request ${String(index)}`);
    }
    await insertUpTo(answerIndex);
    const answer = session.messages[answerIndex];
    if (answer === undefined) continue;
    const needs = {
      time,
      system: session.system,
      outputTokens: meter.tokensOf(answer),
      edits: needsOf(answer, session.messages.slice(0, answerIndex)),
      storedText: recorder.storedText,
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
