import { type Message, unitsOf } from '@ctx/core';
import type { ReplayPolicy } from '@ctx/replay';

type PolicyContext = Parameters<ReplayPolicy['start']>[0];
type PolicyRun = ReturnType<ReplayPolicy['start']>;

const noPointers: ReadonlySet<string> = new Set();

function start({ windowTokens, fixedTokens, tokensOf }: PolicyContext): PolicyRun {
  const messages: Message[] = [];
  let left = 1;
  const sum = (some: readonly Message[]): number =>
    some.reduce((total, message) => total + tokensOf(message), 0);
  return {
    insert: (message) => {
      messages.push(message);
    },
    render: () => {
      const units = unitsOf(messages);
      let tokens = fixedTokens + sum(messages.slice(0, 1)) + sum(messages.slice(left));
      for (const { start: from, end } of units) {
        if (tokens <= windowTokens) break;
        if (from < left) continue;
        tokens -= sum(messages.slice(from, end));
        left = end;
      }
      return [...messages.slice(0, 1), ...messages.slice(left)];
    },
    pointers: () => noPointers,
  };
}

/** Without any management: everything, until the window is full; then the oldest leaves for good, as little as has to. */
export const fullWindow: ReplayPolicy = {
  name: 'full window',
  description: 'the oldest leaves when the window is full, as little as has to',
  start,
};
