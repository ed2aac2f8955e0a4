import type { Message, ToolUseBlock } from '@ctx/core';
import { describeCall, textOfBlock } from '@ctx/truncation';
import {
  answersOf,
  blocksOf,
  missingIn,
  oldLinesIn,
  type ReplayedRequest,
  type ReplaySession,
  textOf,
} from './session-parts.ts';

/** Why an edit lacked its evidence: never shown whole, or gone at a pause that is longer than the cache lives, or between two requests. */
export type MissCause = 'insertion' | 'pause' | 'warm';

/** An edit whose old text stood in earlier results, and not in the request. */
export interface Miss {
  readonly session: string;
  readonly policy: string;
  readonly request: number;
  readonly cause: MissCause;
  /** The request in which the lines were missing first. */
  readonly since: number;
  readonly pauseSeconds: number;
  /** The call whose result held most of the missing lines, and how many calls before the edit it was made. */
  readonly call: string;
  readonly callsAgo: number;
  readonly characters: number;
  readonly missing: number;
  readonly lines: number;
}

/** A result of the session, and the call that it answers. */
interface KnownResult {
  readonly call: ToolUseBlock;
  readonly calls: number;
  readonly text: string;
}

function resultsIn(history: readonly Message[]): { results: KnownResult[]; calls: number } {
  const asked = new Map<string, { readonly call: ToolUseBlock; readonly calls: number }>();
  const results: KnownResult[] = [];
  let calls = 0;
  for (const block of blocksOf(history)) {
    if (block.type === 'tool_use') asked.set(block.id, { call: block, calls: (calls += 1) });
    const known = block.type === 'tool_result' ? asked.get(block.toolUseId) : undefined;
    if (known !== undefined) results.push({ ...known, text: textOfBlock(block) });
  }
  return { results, calls };
}

/** The newest result that holds most of the lines. */
function holderOf(
  lines: readonly string[],
  results: readonly KnownResult[],
): KnownResult | undefined {
  let least = lines.length;
  let holder: KnownResult | undefined;
  for (const result of results.toReversed()) {
    const left = missingIn(lines, result.text).length;
    if (left < least) [least, holder] = [left, result];
  }
  return holder;
}

function callText({ name, input }: ToolUseBlock): string {
  const use = describeCall({ type: 'tool_use', id: '', name, input });
  const shown =
    use === undefined ? 'no file' : `${use.access} ${use.shows ?? 'by tool'} ${use.path}`;
  return `${name} ${JSON.stringify(input).slice(0, 120)} (${shown})`;
}

/** Requests of one policy, in order, and the misses among them. */
export interface MissFinder {
  take(request: ReplayedRequest): void;
  readonly misses: readonly Miss[];
}

/** What a finder needs of a session. */
export interface FinderOptions {
  readonly session: ReplaySession;
  readonly policy: string;
  readonly lifetimeMs: number;
}

/** Looks for the last request that showed all of the lines. */
function whenLost(sent: readonly ReplayedRequest[], lines: readonly string[], lifetimeMs: number) {
  const shows = ({ messages }: ReplayedRequest): boolean =>
    missingIn(lines, textOf(blocksOf(messages))).length === 0;
  const last = sent.findLastIndex(shows);
  const [before, after] = [sent[last], sent[last + 1]];
  if (before === undefined || after === undefined) {
    return { cause: 'insertion', since: 0, pauseSeconds: 0 } as const;
  }
  const pause = after.time - before.time;
  const cause: MissCause = pause > lifetimeMs ? 'pause' : 'warm';
  return { cause, since: last + 1, pauseSeconds: Math.round(pause / 1000) };
}

/** Starts without any request. Cost: memory of the requests of one session; a miss searches them backwards. */
export function createMissFinder({ session, policy, lifetimeMs }: FinderOptions): MissFinder {
  const answers = answersOf(session.messages);
  const sent: ReplayedRequest[] = [];
  const misses: Miss[] = [];
  const judge = (lines: readonly string[], history: readonly Message[], view: string): void => {
    const missing = missingIn(lines, view);
    const { results, calls } = resultsIn(history);
    const isEvidence = missingIn(lines, results.map(({ text }) => text).join('\n')).length === 0;
    if (missing.length === 0 || !isEvidence) return;
    const holder = holderOf(missing, results);
    misses.push({
      ...{ session: session.id, policy, request: sent.length - 1 },
      ...whenLost(sent, missing, lifetimeMs),
      call: holder === undefined ? 'several results' : callText(holder.call),
      callsAgo: calls - (holder?.calls ?? calls),
      characters: holder?.text.length ?? 0,
      ...{ missing: missing.length, lines: lines.length },
    });
  };
  return {
    take: (request) => {
      sent.push(request);
      const answer = answers[sent.length - 1];
      if (answer === undefined) return;
      const history = session.messages.slice(0, answer.start);
      const view = textOf(blocksOf(request.messages));
      const answered = session.messages.slice(answer.start, answer.end);
      for (const lines of oldLinesIn(answered)) judge(lines, history, view);
    },
    misses,
  };
}

/** One line a miss, for people. */
export function missLine(miss: Miss): string {
  const { session, policy, request, cause, since, pauseSeconds, missing, lines } = miss;
  const when = cause === 'pause' ? `a pause of ${String(pauseSeconds)} s` : cause;
  return `miss of ${policy} in ${session}, request ${String(request)}: ${String(missing)} of ${String(lines)} lines left in request ${String(since)} (${when}); ${String(miss.callsAgo)} calls before, ${String(miss.characters)} characters: ${miss.call}`;
}
