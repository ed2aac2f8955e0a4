import type { explainRequest } from '@ctx/replay';
import { entryOf } from '@ctx/server/records';
import type { WindowMode } from '@ctx/truncation';
import type { CliHost } from '../cli-host.ts';
import { kindOf, toolNames } from '../fit/fit-answer.ts';
import { followUp } from '../follow-up.ts';
import type { WhyAnswer, WhySegment, WhyState } from '../schemas/window.ts';
import type { WhyHistory } from './why-history.ts';

export type ExplainedRequest = Awaited<ReturnType<typeof explainRequest>>;

/** What a form is called. */
const states: ReadonlyMap<string, string> = new Map([
  ['whole', 'in view'],
  ['thin', 'in view'],
  ['normalised', 'normalised'],
  ['same', 'same as above'],
  ['diff', 'diff'],
  ['overlap', 'new lines'],
  ['preview', 'preview'],
  ['ledger', 'ledger'],
  ['stub', 'stubbed'],
  ['part', 'in part'],
  ['gone', 'gone'],
  ['short', 'shortened'],
  ['cut', 'cut'],
  ['summarised', 'summarised'],
]);

/** Names of the policies that can explain themselves. */
export const whyModes: Readonly<Record<string, WindowMode>> = {
  ctx: 'default',
  'ctx-thrifty': 'thrifty',
  'ctx-evidence': 'evidence',
};

/** What an answer is made of. */
export interface WhySource {
  readonly host: Pick<CliHost, 'env'>;
  /** The file or session as the user named it. */
  readonly name: string;
  readonly history: WhyHistory;
  readonly policy: string;
}

/** How the original of a segment is read: from the store where it is a result there, else by this command. */
function readCommand(
  segment: ExplainedRequest['segments'][number],
  { host, name, history }: WhySource,
): string {
  const { block, reason } = segment;
  const { pointers, store } = history;
  const place = store === undefined ? [] : ['--store', store];
  const kept = block.type === 'tool_result' ? pointers.get(block.toolUseId) : undefined;
  if (kept !== undefined) return followUp(host, ['read', kept, ...place]);
  const words = ['why', name, '--segment', String(reason.segment), '--original', ...place];
  return followUp(host, words);
}

function pinned(kind: string, tokens: number): WhySegment[] {
  if (tokens === 0) return [];
  const why = 'stands before every request and never leaves';
  const role = 'system';
  return [{ role, kind, state: 'pinned', why, tokensBefore: tokens, tokensAfter: tokens }];
}

/** Every segment of the request, what never leaves first. */
function segmentsOf(explained: ExplainedRequest, source: WhySource): WhySegment[] {
  const toolOf = toolNames(source.history.session.messages);
  const segments = explained.segments.map((segment): WhySegment => {
    const { reason, block, message, place } = segment;
    const tool = toolOf(block);
    return {
      ...entryOf.segment({ ...reason, message: place }),
      role: message.role,
      kind: kindOf(block),
      ...(tool === undefined ? {} : { tool }),
      state: states.get(reason.form) ?? reason.form,
      read: readCommand(segment, source),
    };
  });
  return [
    ...pinned('system prompt', explained.systemTokens),
    ...pinned('tools', explained.toolTokens),
    ...pinned('system prompt and tools', explained.fixedTokens ?? 0),
    ...segments,
  ];
}

function statesOf(segments: readonly WhySegment[]): WhyState[] {
  const sums = new Map<string, WhyState>();
  for (const { state, tokensBefore, tokensAfter } of segments) {
    const sum = sums.get(state) ?? { state, segments: 0, tokensBefore: 0, tokensAfter: 0 };
    sums.set(state, {
      state,
      segments: sum.segments + 1,
      tokensBefore: sum.tokensBefore + tokensBefore,
      tokensAfter: sum.tokensAfter + tokensAfter,
    });
  }
  return [...sums.values()].sort((left, right) => right.tokensAfter - left.tokensAfter);
}

/** The whole answer, every segment in it. */
export function whyAnswerOf(explained: ExplainedRequest, source: WhySource): WhyAnswer {
  const segments = segmentsOf(explained, source);
  const { request, requests, tokens, windowTokens, limitTokens } = explained;
  const { name, history, policy } = source;
  return {
    name,
    source: history.store === undefined ? 'file' : 'session',
    policy,
    windowTokens,
    limitTokens,
    request,
    requests,
    messagesAside: history.asideMessages,
    tokens,
    tokensWhole: segments.reduce((sum, { tokensBefore }) => sum + tokensBefore, 0),
    states: statesOf(segments),
    segments,
  };
}
