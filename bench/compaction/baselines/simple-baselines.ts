import { callsOf, type Message } from '@ctx/core';
import { describeToolCall } from '@ctx/store';
import { createRandom } from '../random.ts';
import { blockTexts, textOfHistory } from '../text-of-history.ts';
import { type Baseline, headThatFits, linesThatFit, tailThatFits } from './baseline.ts';

export const headAndTail: Baseline = {
  name: 'head + tail',
  shorten: (history, options) => {
    const text = textOfHistory(history);
    const half = { ...options, maxTokens: Math.floor(options.maxTokens / 2) };
    return `${headThatFits(text, half)}\n${tailThatFits(text, half)}`;
  },
};

/** Lines in a random order until the budget is full. */
export const randomLines: Baseline = {
  name: 'random lines',
  shorten: (history, options) => {
    const random = createRandom(7);
    const lines = [...new Set(textOfHistory(history).split('\n'))]
      .filter((line) => line.trim() !== '')
      .map((line) => ({ line, key: random.next() }))
      .sort((a, b) => a.key - b.key)
      .map(({ line }) => line);
    return linesThatFit(lines, options).join('\n');
  },
};

/** What gemini-cli falls back to: what the user said, and which tools were called. */
export const userAndTools: Baseline = {
  name: 'user + tool names',
  shorten: (history, options) => {
    const lines = history.toReversed().flatMap((message) => [
      ...callsOf(message)
        .toReversed()
        .map(({ name, input }) => describeToolCall(name, input)),
      ...saidByUser(message),
    ]);
    return linesThatFit(lines, options).reverse().join('\n');
  },
};

function saidByUser({ role, content }: Message): string[] {
  if (role !== 'user') return [];
  return content.flatMap((block) => (block.type === 'text' ? block.text.split('\n') : []));
}

/** Seed 003: the first 100 characters of each message. */
export const hundredCharacters: Baseline = {
  name: '100 chars a message',
  shorten: (history, options) => {
    const lines = history
      .map((message) => blockTexts([message]).join('\n').slice(0, 100))
      .reverse();
    return linesThatFit(lines, options).reverse().join('\n');
  },
};
