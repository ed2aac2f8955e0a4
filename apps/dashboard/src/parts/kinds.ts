import type { View } from '../api/queries.ts';
import type { BarPart } from './stacked-bar.tsx';

/** Names of the kinds for people, in the order in which bars show them. */
export const kindNames: Readonly<Record<string, string>> = {
  user: 'user',
  assistant: 'assistant',
  call: 'tool calls',
  result: 'tool results',
  other: 'images, thinking and others',
};

type Sizes = Pick<View, 'kinds' | 'fixedTokens' | 'tokens' | 'limitTokens' | 'windowTokens'>;

/** The parts of a window: what is in it, what is free, what is kept for the answer. They sum up to the window. */
export function windowParts({
  kinds,
  fixedTokens,
  tokens,
  limitTokens,
  windowTokens,
}: Sizes): BarPart[] {
  const sum = kinds.reduce((all, { tokensAfter }) => all + tokensAfter, 0);
  // What is counted piece by piece is an estimate; the provider's own counting has the last word.
  const factor = sum === 0 ? 1 : Math.max(0, tokens - fixedTokens) / sum;
  const fixed = { name: 'system and tools', tone: 'fixed', value: fixedTokens };
  const parts = kinds.map(({ kind, segments, tokensAfter }) => ({
    name: kindNames[kind] ?? kind,
    tone: kind,
    value: tokensAfter * factor,
    note: `${segments} ${segments === 1 ? 'piece' : 'pieces'}`,
  }));
  return [
    ...(fixedTokens > 0 ? [fixed] : []),
    ...parts,
    { name: 'free', tone: 'free', value: Math.max(0, limitTokens - tokens) },
    {
      name: 'kept for the answer',
      tone: 'reserve',
      value: Math.max(0, windowTokens - Math.max(limitTokens, tokens)),
    },
  ];
}
