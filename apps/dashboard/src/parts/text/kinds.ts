import type { Use, View } from '../../api/queries.ts';
import type { BarPart } from '../charts/stacked-bar.tsx';

/** Names of the kinds for people, in the order in which bars show them. */
export const kindNames: Readonly<Record<string, string>> = {
  user: 'user',
  assistant: 'assistant',
  call: 'tool calls',
  result: 'tool results',
  other: 'images, thinking and others',
};

/** What the colours of a window's bar mean. */
export const windowTones: readonly (readonly [string, string])[] = [
  ['fixed', 'system and tools'],
  ...Object.entries(kindNames),
  ['free', 'free'],
  ['ink', 'limit'],
  ['reserve', 'reserved for output'],
];

/** Whether all lines of a piece are in the view. */
export function showsAll(form: string): boolean {
  return form === 'whole' || form === 'thin';
}

/** What stays in the view of a piece, in few words. */
export const formNames: Readonly<Record<string, string>> = {
  whole: 'all of it',
  thin: 'all of it',
  normalised: 'without noise',
  same: 'a reference',
  diff: 'the change',
  overlap: 'what is new',
  preview: 'a preview',
  ledger: 'one line',
  stub: 'a stub',
  part: 'some lines',
  gone: 'nothing',
  short: 'shortened text',
  cut: 'nothing',
  summarised: 'the summary',
};

/** What the colours of tiers mean. */
export const tierTones: readonly (readonly [string, string])[] = [
  ['hot', 'hot: in the context'],
  ['warm', 'warm: one lookup away'],
  ['cold', 'cold: archived by the next flash save'],
];

const none = { segments: 0, tokensAfter: 0 };

type Sizes = Pick<
  View,
  'kinds' | 'fixedTokens' | 'fixed' | 'tokens' | 'limitTokens' | 'windowTokens' | 'imported'
>;

/** What a request carries besides system prompt, tools and messages. Pure. */
export const restName = (imported: View['imported']): string =>
  imported === undefined ? 'memory' : 'not in the transcript';

/** What every request carries besides the messages: system prompt and tools apart, where both are known. */
function fixedBars({
  fixed,
  fixedTokens,
  imported,
}: Pick<View, 'fixed' | 'fixedTokens' | 'imported'>): BarPart[] {
  const tone = 'fixed';
  if (fixed === undefined) return [{ name: 'system and tools', tone, value: fixedTokens }];
  const { system, tools, unnamed = { tools: 0, tokens: 0 } } = fixed;
  const value = tools.reduce((sum, { tokens }) => sum + tokens, unnamed.tokens);
  const count = tools.length + unnamed.tools;
  const notes = fixedTokens - system - value;
  const isEmpty = imported !== undefined && count === 0;
  return [
    { name: 'system prompt', tone, value: system },
    ...(isEmpty
      ? []
      : [{ name: 'tools', tone, value, note: count === 1 ? '1 tool' : `${count} tools` }]),
    ...(notes >= 0.5 ? [{ name: restName(imported), tone, value: notes }] : []),
  ];
}

/** Makes the parts whole numbers that sum up to a total: the largest takes what is left, as in `ctx status`. */
function wholeParts(parts: readonly BarPart[], total: number): BarPart[] {
  const whole = parts.map((part) => ({ ...part, value: Math.floor(part.value + 1e-6) }));
  const rest = total - whole.reduce((sum, { value }) => sum + value, 0);
  const largest = Math.max(...whole.map(({ value }) => value));
  const first = whole.find(({ value }) => value === largest);
  if (first !== undefined && largest > 0) first.value += rest;
  return whole;
}

/** The parts of a window: what is in it, what is free, what is reserved for output. They sum up to the window. A kind of which nothing is there has its place, too: no part moves when another comes. Pure. */
export function windowParts(view: Sizes): BarPart[] {
  const { kinds, tokens, limitTokens, windowTokens } = view;
  const parts = Object.entries(kindNames).map(([tone, name]) => {
    const { segments, tokensAfter } = kinds.find(({ kind }) => kind === tone) ?? none;
    const note = `${segments} ${segments === 1 ? 'piece' : 'pieces'}`;
    return { name, tone, value: tokensAfter, note };
  });
  return [
    ...wholeParts([...fixedBars(view), ...parts], tokens),
    { name: 'free', tone: 'free', value: Math.max(0, limitTokens - tokens) },
    {
      name: 'reserved for output',
      tone: 'reserve',
      value: Math.max(0, windowTokens - Math.max(limitTokens, tokens)),
    },
  ];
}

/** Names and colours of what uses a window. */
const useNames: Readonly<
  Record<Use['parts'][number]['part'], readonly [name: string, tone: string]>
> = {
  system: ['system prompt', 'fixed'],
  tools: ['tools', 'fixed'],
  fixed: ['system and tools', 'fixed'],
  summary: ['summary', 'other'],
  user: ['user', 'user'],
  assistant: ['assistant', 'assistant'],
  calls: ['tool calls', 'call'],
  results: ['tool results', 'result'],
  other: ['images, thinking and others', 'other'],
};

/** The parts of what a request held. They sum up to the window, unless more was sent. Pure. */
export function useParts({ parts, freeTokens, reserveTokens }: Use): BarPart[] {
  return [
    ...parts.map(({ part, tokens }) => {
      const [name, tone] = useNames[part];
      return { name, tone, value: tokens };
    }),
    { name: 'free', tone: 'free', value: freeTokens },
    { name: 'reserved for output', tone: 'reserve', value: reserveTokens },
  ];
}
