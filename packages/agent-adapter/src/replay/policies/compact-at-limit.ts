import { cutText, type Message } from '@ctx/core';
import { contextLimit, cutPointsOf, describeCall, extractSummary } from '@ctx/truncation';
import type { PolicyCall, PolicyContext, PolicyRun, ReplayPolicy } from '../replay-policy.ts';

const noPointers: ReadonlySet<string> = new Set();

/** Newest tokens that stay as they are, and the share of the limit that they are at most. */
const tail = { tokens: 20_000, share: 0.25 };

/** Longest list of the user's words, and the longest piece of it, characters. */
const said = { all: 4000, each: 400 };

/** What the summariser is asked. */
const instruction =
  'Summarise the conversation so far, so that the work can go on from the summary.';

/** Messages in short, the user's words among them, newest first to stay. */
function summaryOf(messages: readonly Message[]): string {
  const words = messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
    )
    .map((text) => `- ${cutText(text.trim(), { maxCharacters: said.each })}`);
  let first = words.length;
  let room = said.all;
  while (first > 0 && room >= (words[first - 1] ?? '').length) {
    first -= 1;
    room -= (words[first] ?? '').length;
  }
  const lines = words.slice(first);
  const spoken = lines.length === 0 ? [] : ['What the user said:', ...lines];
  return [...spoken, extractSummary(messages, { describeCall })].join('\n');
}

const textMessage = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
});

/** A conversation whose beginning is a summary. */
interface CompactingRun {
  /** Everything up to the task. */
  front: Message[];
  summary: Message | undefined;
  /** What the summary stands for. */
  summarised: Message[];
  rest: Message[];
  tokens: number;
}

function viewOf({ front, summary, rest }: CompactingRun): Message[] {
  return [...front, ...(summary === undefined ? [] : [summary]), ...rest];
}

/** Where the newest messages begin: the first place between units behind which no more than `most` tokens stand. */
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

function compact(run: CompactingRun, context: PolicyContext): PolicyCall[] {
  const limit = contextLimit(context.windowTokens);
  const start = tailStart(run.rest, Math.min(tail.tokens, tail.share * limit), context);
  const leaving = run.rest.slice(0, start);
  if (leaving.length === 0) return [];
  const asked = [...viewOf({ ...run, rest: leaving }), textMessage(instruction)];
  const summarised = [...run.summarised, ...leaving];
  const text = summaryOf(summarised);
  const count = String(summarised.length);
  const summary = textMessage(`[ctx: ${count} earlier messages in short]\n${text}`);
  const next = { ...run, summary, summarised, rest: run.rest.slice(start) };
  const tokens = viewOf(next).reduce(
    (sum, message) => sum + context.tokensOf(message),
    context.fixedTokens,
  );
  if (tokens >= run.tokens) return [];
  Object.assign(run, { ...next, tokens });
  return [{ messages: asked, outputTokens: context.countTokens(text) }];
}

function startCompacting(context: PolicyContext): PolicyRun {
  const limit = contextLimit(context.windowTokens);
  const run: CompactingRun = {
    front: [],
    summary: undefined,
    summarised: [],
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
    render: () => {
      calls = run.tokens >= limit ? compact(run, context) : [];
      return viewOf(run);
    },
    calls: () => calls,
    pointers: () => noPointers,
  };
}

/**
 * Compacts at the limit, as most agents do: a summary takes the place of everything but the task and the newest messages.
 * The summary is an extract made without a model; the call that a model would take is priced all the same.
 */
export const compactAtLimit: ReplayPolicy = {
  name: 'compact-at-limit',
  description: 'a summary in place of all but the newest messages at the limit',
  start: startCompacting,
};
