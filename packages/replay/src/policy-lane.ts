import { type Message, type ToolResultBlock, validateMessages } from '@ctx/core';
import {
  type CachePrice,
  createCostModel,
  type createSegmentMeter,
  isSameResult,
  type RecordedOutput,
  resultAsGiven,
  resultValueOf,
} from '@ctx/truncation';
import { type EvidenceMeter, type IndexedText, missingLines } from './measure-evidence.ts';
import type { NameMeter } from './measure-names.ts';
import type { RereadMeter, RereadNeed } from './measure-rereads.ts';
import type { PolicyContext, PolicyRun, ReplayPolicy } from './replay-policy.ts';
import type { OutputRecovery, PolicyReport } from './replay-report.ts';

/** What one request of one policy was. */
export interface RenderedRequest {
  readonly messages: readonly Message[];
  readonly inputTokens: number;
  /** What the policy's requests have cost so far, this one among them. */
  readonly dollars: number;
}

/** What the answer to a request needed and cost. */
export interface AnswerNeeds {
  readonly time: number;
  readonly system: string | undefined;
  readonly outputTokens: number;
  /** Old lines of each edit. */
  readonly edits: readonly (readonly string[])[];
  /** Reads that repeat earlier ones. */
  readonly rereads: readonly RereadNeed[];
  /** Identifiers that only tool results held. */
  readonly names: readonly string[];
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
  readonly meter: ReturnType<typeof createSegmentMeter>;
  readonly evidence: EvidenceMeter;
  readonly rereads: RereadMeter;
  readonly names: NameMeter;
}

/** Judges what answers needed and adds the judgement up. */
function createJudge(run: PolicyRun, { evidence, rereads, names }: LaneOptions) {
  const found = { edits: 0, inView: 0, recoverable: 0 };
  const reread = { tokens: 0, inView: 0 };
  const named = { used: 0, inView: 0 };
  const textsBehindPointers = async (needs: AnswerNeeds): Promise<IndexedText[]> => {
    const texts: IndexedText[] = [];
    for (const id of run.pointers()) texts.push(await needs.storedText(id));
    return texts;
  };
  const judgeContent = (needs: AnswerNeeds, request: readonly Message[]): void => {
    for (const need of needs.rereads) {
      const { tokens, inView } = rereads.measure(need, request);
      reread.tokens += tokens;
      reread.inView += inView;
    }
    named.used += needs.names.length;
    if (needs.names.length > 0) named.inView += names.inView(needs.names, request);
  };
  return {
    judge: async (needs: AnswerNeeds, request: readonly Message[]): Promise<void> => {
      judgeContent(needs, request);
      for (const lines of needs.edits) {
        const missing = evidence.missingIn(lines, request);
        const texts = missing.length === 0 ? [] : await textsBehindPointers(needs);
        found.edits += 1;
        if (missing.length === 0) found.inView += 1;
        if (missingLines(missing, texts).length === 0) found.recoverable += 1;
      }
    },
    total: () => ({
      evidence: { ...found },
      reread: { tokens: Math.round(reread.tokens), inView: Math.round(reread.inView) },
      names: { ...named },
    }),
  };
}

function recoveryOf(
  run: PolicyRun,
  results: readonly RecoverableResult[],
  now: number,
): OutputRecovery {
  const blocks = run.render(now).flatMap(({ content }) => content);
  const inView = new Set(blocks);
  const shown = new Map(
    blocks.flatMap((block) => (block.type === 'tool_result' ? [[block.toolUseId, block]] : [])),
  );
  const isShown = (block: ToolResultBlock): boolean => {
    const other = shown.get(block.toolUseId);
    if (inView.has(block) || other === undefined) return inView.has(block);
    return isSameResult(block, resultValueOf(resultAsGiven(other)));
  };
  const pointers = run.pointers();
  const recoverable = results.filter(
    ({ block, outputId, readsBack }) => isShown(block) || (readsBack && pointers.has(outputId)),
  );
  return { total: results.length, recoverable: recoverable.length };
}

/** Adds up what requests did not carry of what came in. */
function createSavings(run: PolicyRun, { context: { tokensOf } }: LaneOptions) {
  let given = 0;
  const saved = { atInsertion: 0, byDedupe: 0, byLeaving: 0 };
  return {
    take: (message: Message) => {
      given += tokensOf(message);
    },
    add: (request: readonly Message[]) => {
      const shown = request.reduce((sum, message) => sum + tokensOf(message), 0);
      const { atInsertion, byDedupe } = run.saved?.() ?? { atInsertion: 0, byDedupe: 0 };
      saved.atInsertion += atInsertion;
      saved.byDedupe += byDedupe;
      // Placeholders for results that did not come may make a request larger than what came in.
      saved.byLeaving += Math.max(0, given - shown - atInsertion - byDedupe);
    },
    total: () => ({ ...saved }),
  };
}

/** Starts a policy. Costs one step a block for each request, and one look-up a block for each old line of an edit. */
export function startLane(options: LaneOptions): PolicyLane {
  const { policy, context, price, meter } = options;
  const run = policy.start(context);
  const cost = createCostModel(price);
  const judge = createJudge(run, options);
  const savings = createSavings(run, options);
  let lastTime = 0;
  let overWindow = 0;
  let invalid = 0;
  return {
    name: policy.name,
    insert: (message, outputs) => {
      run.insert(message, outputs);
      savings.take(message);
    },
    request: async (needs) => {
      lastTime = needs.time;
      await run.prepare?.(needs.time);
      const messages = [...run.render(needs.time)];
      savings.add(messages);
      const send = (sent: readonly Message[], outputTokens: number, isAside = false): number => {
        const segments = meter.segments(needs.system, sent);
        const { time } = needs;
        const { inputTokens } = cost.add({ lane: 'main', time, segments, outputTokens, isAside });
        if (inputTokens > context.windowTokens) overWindow += 1;
        return inputTokens;
      };
      for (const call of run.calls?.() ?? []) send(call.messages, call.outputTokens, true);
      const inputTokens = send(messages, needs.outputTokens);
      if (validateMessages(messages).length > 0) invalid += 1;
      await judge.judge(needs, messages);
      return { messages, inputTokens, dollars: cost.total().dollars };
    },
    report: (results) => ({
      policy: policy.name,
      cost: cost.total(),
      overWindow,
      invalid,
      ...judge.total(),
      outputs: recoveryOf(run, results, lastTime),
      savedTokens: savings.total(),
    }),
  };
}
