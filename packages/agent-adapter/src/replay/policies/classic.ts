import { type Message, unitsOf } from '@ctx/core';
import type { PolicyContext, PolicyRun, ReplayPolicy } from '../replay-policy.ts';

const notice =
  '[ctx: some earlier messages were removed here to keep the conversation inside the context window]';

const noPointers: ReadonlySet<string> = new Set();

/** Tokens at which the classic policy cuts, by window. Source: seed 002. */
export function contextLimit(windowTokens: number): number {
  if (windowTokens === 64_000) return 37_000;
  if (windowTokens === 128_000) return 98_000;
  if (windowTokens === 200_000) return 160_000;
  return Math.max(windowTokens - 40_000, windowTokens * 0.8);
}

/** Index behind the task and its first answer; system messages may stand before the task. */
function seedStart(messages: readonly Message[]): number {
  return messages.findIndex(({ role }) => role === 'user') + 2;
}

/** Messages that stay in front: the task and its first answer, with all its results if it made calls. */
function keptInFront(messages: readonly Message[]): number {
  const start = seedStart(messages);
  return unitsOf(messages).find(({ end }) => end >= start)?.end ?? messages.length;
}

/**
 * First message to show behind the cut, so that a share of what is shown goes; where this would part a call from its results,
 * the next one that does not. `from` where nothing can go.
 */
function planCut(messages: readonly Message[], from: number, share: number): number {
  const removable = 2 * Math.floor(((messages.length - from) * share) / 2);
  if (removable === 0) return from;
  return unitsOf(messages).find(({ start }) => start >= from + removable)?.start ?? from;
}

function withNotice(message: Message): Message {
  return { ...message, content: [{ type: 'text', text: notice }, ...message.content] };
}

function startClassic({ windowTokens, fixedTokens, tokensOf }: PolicyContext): PolicyRun {
  const messages: Message[] = [];
  const limit = contextLimit(windowTokens);
  let cut = 0;
  let view: Message[] = [];
  let tokens = fixedTokens;
  const rebuild = (): void => {
    const front = messages.slice(0, keptInFront(messages));
    const marked = front.map((message, index) =>
      index === seedStart(messages) - 1 ? withNotice(message) : message,
    );
    view = [...marked, ...messages.slice(cut)];
    tokens = view.reduce((sum, message) => sum + tokensOf(message), fixedTokens);
  };
  const shrink = (): void => {
    const share = tokens / 2 > limit ? 0.75 : 0.5;
    const next = planCut(messages, Math.max(cut, seedStart(messages)), share);
    if (next <= Math.max(cut, keptInFront(messages))) return;
    cut = next;
    rebuild();
  };
  return {
    insert: (message) => {
      messages.push(message);
      view.push(message);
      tokens += tokensOf(message);
    },
    render: () => {
      if (tokens > limit) shrink();
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
