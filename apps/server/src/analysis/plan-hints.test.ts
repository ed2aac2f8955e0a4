import type { ContentBlock } from '@ctx/core';
import { expect, it } from 'vitest';
import { planHints } from './plan-hints.ts';

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const rule = 'never touch the file of secrets in the home folder';

function analysed(shown: ContentBlock | undefined, cause: 'compaction' | 'economic') {
  const blocks = [text(`First: ${rule}. Then tidy up.`), text('I will.')];
  const segment = {
    ...{ message: 0, why: '', pointer: 'ctx://messages/0', kind: 'user' as const },
    givenTokens: 20,
  };
  const first =
    shown === undefined
      ? { ...segment, segment: 0, form: 'summarised' as const, cause, tokens: 0 }
      : { ...segment, segment: 0, form: 'whole' as const, tokens: 20, block: shown };
  const second = {
    ...segment,
    segment: 1,
    form: 'whole' as const,
    tokens: 3,
    block: text('I will.'),
  };
  const view = {
    ...{ segments: [first, second], tokens: 23, fixedTokens: 0, scale: 1 },
    ...{ limitTokens: 100_000, windowTokens: 128_000 },
  };
  return { requests: [], view, blocks };
}

const pinned = [
  { id: 'rule', content: rule },
  { id: 'short', content: 'tidy up' },
];

it('a pinned text that a compaction took out is a hint; one that stays, or is too short to be looked for, is none', () => {
  const lost = analysed(undefined, 'compaction');
  const hint = { kind: 'lost-pinned', item: 'rule', segment: 0, tokens: 20 };
  expect(planHints(lost, [], pinned)).toEqual([hint]);
  const summary = { role: 'user' as const, content: [text(`Rule: ${rule}.`)] };
  expect(planHints({ ...lost, view: { ...lost.view, summary } }, [], pinned)).toEqual([]);
  expect(planHints(analysed(lost.blocks[0], 'compaction'), [], pinned)).toEqual([]);
  // What a flush took out is read again at its address: nothing is lost.
  expect(planHints(analysed(undefined, 'economic'), [], pinned)).toEqual([]);
  expect(planHints(lost, [], [])).toEqual([]);
});
