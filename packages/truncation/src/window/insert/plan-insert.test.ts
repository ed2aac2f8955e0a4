import type { ResultBlock, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import { expect, test } from 'vitest';
import { textOf, tokensOf } from '../test-support/test-window.ts';
import { windowPolicy } from '../window-policy.ts';
import { type InsertInput, planInsert } from './plan-insert.ts';

const call: ToolUseBlock = { type: 'tool_use', id: 'a', name: 'Read', input: { path: 'a.ts' } };

const blockOf = (...content: ResultBlock[]): ToolResultBlock => ({
  type: 'tool_result',
  toolUseId: 'a',
  content,
});

function inputOf(text: string, more: Partial<InsertInput> = {}): InsertInput {
  const block = blockOf({ type: 'text', text });
  const tokens = tokensOf({ role: 'user', content: [block] });
  return {
    block,
    call,
    tokens,
    pointer: 'ctx://outputs/1',
    isRead: false,
    capTokens: 50_000,
    previewText: ({ pointer }) => `preview ${pointer}`,
    tokensOf: (each) => tokensOf({ role: 'user', content: [each] }),
    ...more,
  };
}

/** Some numbered lines of a file. */
function pageOf(first: number, last: number): string {
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
  return numbers.map((number) => `${number}→const value${number} = read();`).join('\n');
}

const pageInView = { index: 7, call, text: pageOf(1, 100) };

const fewLines = { ...pageInView, text: pageOf(1, 12) };

/** The same as `cat -n` shows them. */
function columnOf(first: number, last: number): string {
  return pageOf(first, last).replace(/^\d+/gm, (digits) => digits.padStart(6));
}

const formOf = (input: InsertInput): string => planInsert(input, windowPolicy()).form;

test('a small result goes in whole, as the same object, even if the same stands in view', () => {
  const input = inputOf('ok', { sameAs: call });
  expect(planInsert(input, windowPolicy()).block).toBe(input.block);
});

test.each([
  ['whole', 'of 2,900 tokens', textOf(2800), {}],
  ['preview', 'over 3,000 tokens', textOf(3200), {}],
  ['whole', 'over 3,000 tokens of a file', textOf(3200), { isRead: true }],
  ['preview', 'of a file over the cap', textOf(2200), { isRead: true, capTokens: 2000 }],
  ['same', 'that stands in view', textOf(2200), { sameAs: call }],
  ['diff', 'of which little changed', `new\n${textOf(900)}`, { earlierText: textOf(900) }],
  ['whole', 'of which much changed', textOf(900, 'b'), { earlierText: textOf(900, 'a') }],
  ['overlap', 'of a page that begins in one in view', pageOf(50, 150), { reads: [pageInView] }],
  ['whole', 'of the next page', pageOf(101, 200), { reads: [pageInView] }],
  ['whole', 'of which little stands in view', pageOf(80, 180), { reads: [pageInView] }],
  ['whole', 'of which it saves too little to leave out', pageOf(2, 90), { reads: [fewLines] }],
  ['thin', 'of a file numbered as cat -n does', columnOf(1, 100), { isRead: true }],
  ['whole', 'of no file numbered so', columnOf(1, 100), {}],
  ['whole', 'of a file that is too short for it to save much', columnOf(1, 20), { isRead: true }],
  ['preview', 'numbered so, over the cap', columnOf(1, 2000), { isRead: true, capTokens: 2000 }],
  ['normalised', 'full of equal lines', '.\n'.repeat(900), {}],
  ['whole', 'of a file full of equal lines', '.\n'.repeat(900), { isRead: true }],
])('%s: a result %s', (form, _, text, more: Partial<InsertInput>) => {
  expect(formOf(inputOf(text, more))).toBe(form);
});

test('everything that is not whole names its address', () => {
  const inputs = [
    inputOf(textOf(3200)),
    inputOf(textOf(500), { sameAs: call }),
    inputOf(`new\n${textOf(900)}`, { earlierText: textOf(900) }),
    inputOf('.\n'.repeat(900)),
    inputOf(pageOf(50, 150), { reads: [pageInView] }),
  ];
  for (const input of inputs) {
    const { block, tokens } = planInsert(input, windowPolicy());
    expect(JSON.stringify(block)).toContain('ctx://outputs/1');
    expect(tokens).toBeLessThan(input.tokens);
  }
});

test('of an overlapping page only the new lines are shown, and which of them stood above', () => {
  const plan = planInsert(inputOf(pageOf(50, 150), { reads: [pageInView] }), windowPolicy());
  const text =
    `[ctx: lines 50 to 100 stand in the result of Read a.ts above; whole at ctx://outputs/1]\n` +
    pageOf(101, 150);
  expect(plan).toMatchObject({ restsOn: 7, block: { content: [{ type: 'text', text }] } });
});

test('the new lines of an overlapping page have fewer numbers, too, unless all are wanted', () => {
  const reads = [{ ...pageInView, text: columnOf(1, 100) }];
  const input = inputOf(columnOf(50, 200), { isRead: true, reads });
  const thin = JSON.stringify(planInsert(input, windowPolicy()).block);
  expect(thin).toContain('\\n101→const value101 = read();\\nconst value102');
  const all = windowPolicy('default', { lineNumbers: 'all' });
  expect(JSON.stringify(planInsert(input, all).block)).toContain('\\n   102→const value102');
  expect(formOf(inputOf(columnOf(1, 100), { isRead: true }))).toBe('thin');
  expect(planInsert(inputOf(columnOf(1, 100), { isRead: true }), all).form).toBe('whole');
});

test('lines without numbers are named by their places in the result', () => {
  const bare = (text: string): string => text.replace(/^\d+→/gm, '');
  const reads = [{ ...pageInView, text: bare(pageOf(50, 150)) }];
  const plan = planInsert(inputOf(bare(pageOf(1, 100)), { reads }), windowPolicy());
  expect(JSON.stringify(plan.block)).toContain('[ctx: lines 50 to 100 of this result stand in');
});

test('of several pages, the one with most of it counts', () => {
  const reads = [pageInView, { ...pageInView, index: 8, text: pageOf(60, 140) }];
  expect(planInsert(inputOf(pageOf(50, 150), { reads }), windowPolicy()).restsOn).toBe(8);
});

test('a picture stays byte for byte unless it is over the cap', () => {
  const image: ResultBlock = {
    type: 'opaque',
    format: 'anthropic:image',
    data: 'A'.repeat(20_000),
  };
  const block = blockOf(image);
  const input = inputOf('', { block, tokens: 5000 });
  expect(planInsert(input, windowPolicy()).block).toBe(block);
  expect(formOf({ ...input, capTokens: 4000 })).toBe('preview');
});
