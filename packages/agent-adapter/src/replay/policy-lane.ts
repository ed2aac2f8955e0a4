import { type Message, type ToolResultBlock, validateMessages } from '@ctx/core';
import { type CachePrice, createCostModel } from '@ctx/truncation/cost';
import type { RecordedOutput } from '../record-tool-output.ts';
import { type EvidenceMeter, type IndexedText, missingLines } from './measure-evidence.ts';
import type { SegmentMeter } from '../measure-segments.ts';
import type { PolicyContext, PolicyRun, ReplayPolicy } from './replay-policy.ts';
import type { OutputRecovery, PolicyReport } from './replay-report.ts';

/** What one request of one policy was. */
export interface RenderedRequest {
  readonly messages: readonly Message[];
  readonly inputTokens: number;
}

/** What the answer to a request needed and cost. */
export interface AnswerNeeds {
  readonly time: number;
  readonly system: string | undefined;
  readonly outputTokens: number;
  /** Old lines of each edit. */
  readonly edits: readonly (readonly string[])[];
  /** The text behind a pointer. */
  readonly storedText: (outputId: string) => Promise<IndexedText>;
}

/** One policy at work on a session, with everything that is measured about it. */
export interface PolicyLane {
  readonly name: string;
  insert(message: Message, outputs: ReadonlyMap<string, RecordedOutput>): void;
  request(needs: AnswerNeeds): Promise<RenderedRequest>;
  report(results: readonly RecoverableResult[]): PolicyReport;
}

/** A tool result of the session, and whether the store gives it back byte for byte. */
export interface RecoverableResult {
  readonly block: ToolResultBlock;
  readonly outputId: string;
  readonly readsBack: boolean;
}

export interface LaneOptions {
  readonly policy: ReplayPolicy;
  readonly context: PolicyContext;
  readonly price: CachePrice;
  readonly meter: SegmentMeter;
  readonly evidence: EvidenceMeter;
}

/** Judges edits and adds the judgement up. */
function createJudge(run: PolicyRun, evidence: EvidenceMeter) {
  const found = { edits: 0, inView: 0, recoverable: 0 };
  const textsBehindPointers = async (needs: AnswerNeeds): Promise<IndexedText[]> => {
    const texts: IndexedText[] = [];
    for (const id of run.pointers()) texts.push(await needs.storedText(id));
    return texts;
  };
  return {
    judge: async (needs: AnswerNeeds, request: readonly Message[]): Promise<void> => {
      for (const lines of needs.edits) {
        const missing = evidence.missingIn(lines, request);
        const texts = missing.length === 0 ? [] : await textsBehindPointers(needs);
        found.edits += 1;
        if (missing.length === 0) found.inView += 1;
        if (missingLines(missing, texts).length === 0) found.recoverable += 1;
      }
    },
    total: () => ({ ...found }),
  };
}

function recoveryOf(
  run: PolicyRun,
  results: readonly RecoverableResult[],
  now: number,
): OutputRecovery {
  const inView = new Set(run.render(now).flatMap(({ content }) => content));
  const pointers = run.pointers();
  const recoverable = results.filter(
    ({ block, outputId, readsBack }) => inView.has(block) || (readsBack && pointers.has(outputId)),
  );
  return { total: results.length, recoverable: recoverable.length };
}

/** Starts a policy. Cost: per request one step a block of the request, and one look-up a block for each old line of an edit. */
export function startLane({ policy, context, price, meter, evidence }: LaneOptions): PolicyLane {
  const run = policy.start(context);
  const cost = createCostModel(price);
  const judge = createJudge(run, evidence);
  let lastTime = 0;
  let overWindow = 0;
  let invalid = 0;
  return {
    name: policy.name,
    insert: (message, outputs) => {
      run.insert(message, outputs);
    },
    request: async (needs) => {
      lastTime = needs.time;
      const messages = [...run.render(needs.time)];
      const segments = meter.segments(needs.system, messages);
      const { time, outputTokens } = needs;
      const { inputTokens } = cost.add({ lane: 'main', time, segments, outputTokens });
      if (inputTokens > context.windowTokens) overWindow += 1;
      if (validateMessages(messages).length > 0) invalid += 1;
      await judge.judge(needs, messages);
      return { messages, inputTokens };
    },
    report: (results) => ({
      policy: policy.name,
      cost: cost.total(),
      overWindow,
      invalid,
      evidence: judge.total(),
      outputs: recoveryOf(run, results, lastTime),
    }),
  };
}
