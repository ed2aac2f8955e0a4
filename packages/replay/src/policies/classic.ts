import type { Message } from '@ctx/core';
import { applyRange, judgeUsage, planRange } from '@ctx/truncation';
import type { PolicyContext, PolicyRun, ReplayPolicy } from '../replay-policy.ts';

const noPointers: ReadonlySet<string> = new Set();

function startClassic({ windowTokens, fixedTokens, tokensOf }: PolicyContext): PolicyRun {
  const messages: Message[] = [];
  let range: ReturnType<typeof planRange>;
  let judged: string | undefined;
  let view: Message[] = [];
  let tokens = fixedTokens;
  const cut = (next: typeof range): void => {
    range = next;
    const options = { notice: true, sharesMessages: true } as const;
    view = [...applyRange(messages, range, options).messages];
    tokens = view.reduce((sum, message) => sum + tokensOf(message), fixedTokens);
  };
  return {
    insert: (message) => {
      messages.push(message);
      view.push(message);
      tokens += tokensOf(message);
    },
    render: () => {
      const sample = { requestId: String(messages.length), usage: { inputTokens: tokens } };
      const verdict = judgeUsage(sample, judged, { windowTokens });
      judged = verdict.judgedRequestId;
      const { strategy } = verdict;
      const next = strategy === undefined ? undefined : planRange(messages, strategy, range);
      if (next !== undefined) cut(next);
      return view;
    },
    pointers: () => noPointers,
  };
}

/** Drops the older half of the conversation at the limit, as Cline does; what is dropped leaves no pointer. */
export const classic: ReplayPolicy = {
  name: 'classic',
  description: 'drops half of the messages at the limit',
  start: startClassic,
};
