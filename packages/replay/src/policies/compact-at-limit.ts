import { type SummaryRecord, writeSummary } from '@ctx/compactor';
import { type IdSource, type Message, sequenceIds } from '@ctx/core';
import { contextLimit, cutPointsOf } from '@ctx/truncation';
import type { PolicyCall, PolicyContext, PolicyRun, ReplayPolicy } from '../replay-policy.ts';

const noPointers: ReadonlySet<string> = new Set();

/** Newest tokens that stay as they are, and the share of the limit that they are at most. */
const tail = { tokens: 20_000, share: 0.25 };

/** Most tokens of the summary, and of what code adds to it. Source: recorded summaries have 3,000 in the median. */
const summarySizes = { summaryTokens: 2500, annexTokens: 0, ledgerTokens: 500 };

/** What the summariser is asked. */
const instruction =
  'Summarise the conversation so far, so that the work can go on from the summary.';

const textMessage = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
});

/** A conversation whose beginning is a summary. */
interface CompactingRun {
  /** Everything up to the task. */
  front: Message[];
  summary: Message | undefined;
  /** What the next summary renews. */
  record: SummaryRecord | undefined;
  /** Messages that the summary stands for. */
  summarised: number;
  rest: Message[];
  tokens: number;
}

function viewOf({ front, summary, rest }: CompactingRun): Message[] {
  return [...front, ...(summary === undefined ? [] : [summary]), ...rest];
}

/** Where the newest messages begin: the first place between units after which no more than `most` tokens stand. */
function tailStart(rest: readonly Message[], most: number, context: PolicyContext): number {
  const places = cutPointsOf(rest).flatMap(({ index, loopStart }) =>
    index < rest.length && loopStart === undefined ? [index] : [],
  );
  let start = places.at(-1) ?? 0;
  let end = rest.length;
  let behind = 0;
  for (const place of places.toReversed()) {
    behind += rest.slice(place, end).reduce((sum, message) => sum + context.tokensOf(message), 0);
    if (behind > most) break;
    start = place;
    end = place;
  }
  return start;
}

/** Writes the summary without a model; `undefined` where none was accepted. */
async function summaryOf(
  { record }: CompactingRun,
  leaving: readonly Message[],
  { context, ids }: Compacting,
): Promise<SummaryRecord | undefined> {
  const { countTokens, tokensOf } = context;
  const leavingTokens = leaving.reduce((sum, message) => sum + tokensOf(message), 0);
  const earlier = record === undefined ? {} : { earlier: record };
  const options = { ...summarySizes, ...earlier, countTokens, leavingTokens, ids };
  return (await writeSummary(leaving, options)).record;
}

interface Compacting {
  readonly context: PolicyContext;
  readonly ids: IdSource;
}

async function compact(run: CompactingRun, compacting: Compacting): Promise<PolicyCall[]> {
  const { context } = compacting;
  const limit = contextLimit(context.windowTokens);
  const start = tailStart(run.rest, Math.min(tail.tokens, tail.share * limit), context);
  const leaving = run.rest.slice(0, start);
  const record = leaving.length === 0 ? undefined : await summaryOf(run, leaving, compacting);
  if (record === undefined) return [];
  const asked = [...viewOf({ ...run, rest: leaving }), textMessage(instruction)];
  const summarised = run.summarised + leaving.length;
  const title = `[ctx: ${String(summarised)} earlier messages in short]`;
  const summary = textMessage(`${title}\n${record.text}`);
  const next = { ...run, summary, record, summarised, rest: run.rest.slice(start) };
  const tokens = viewOf(next).reduce(
    (sum, message) => sum + context.tokensOf(message),
    context.fixedTokens,
  );
  if (tokens >= run.tokens) return [];
  Object.assign(run, { ...next, tokens });
  return [{ messages: asked, outputTokens: context.countTokens(record.text) }];
}

function startCompacting(context: PolicyContext): PolicyRun {
  const limit = contextLimit(context.windowTokens);
  // Marks that are the same in every run, so that the figures are.
  const ids = sequenceIds('replay-mark-');
  const run: CompactingRun = {
    front: [],
    summary: undefined,
    record: undefined,
    summarised: 0,
    rest: [],
    tokens: context.fixedTokens,
  };
  let hasTask = false;
  let calls: PolicyCall[] = [];
  return {
    insert: (message) => {
      run.tokens += context.tokensOf(message);
      if (hasTask) run.rest.push(message);
      else run.front.push(message);
      hasTask ||= message.role === 'user';
    },
    prepare: async () => {
      calls = run.tokens >= limit ? await compact(run, { context, ids }) : [];
    },
    render: () => viewOf(run),
    calls: () => calls,
    pointers: () => noPointers,
  };
}

/**
 * Compacts at the limit, as most agents do: a summary takes the place of everything but the task and the newest messages.
 * The summary is written by `extractive()`; the call that a model would take is priced all the same.
 */
export const compactAtLimit: ReplayPolicy = {
  name: 'compact-at-limit',
  description: 'a summary in place of all but the newest messages at the limit',
  start: startCompacting,
};
