import type { Message, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import { expect, test } from 'vitest';
import { windowPolicy } from '../window-policy.ts';
import { planLeaving } from './plan-leaving.ts';
import { inputStub, ledgerLine, resultStub } from './stub.ts';

const call: ToolUseBlock = { type: 'tool_use', id: 'c', name: 'Bash', input: { command: 'x' } };
const text = { type: 'text', text: 'word '.repeat(900) } as const;
const opaque = (type: string) =>
  ({ type: 'opaque', format: `anthropic:${type}`, data: {} }) as const;

function savedBy(result: Partial<ToolResultBlock>, exceptions: 'leave' | 'stay'): number {
  const block: ToolResultBlock = {
    type: 'tool_result',
    toolUseId: 'c',
    content: [text],
    ...result,
  };
  const input = {
    ...{ call, callSegment: 1, callTokens: 20, result: block, resultSegment: 2 },
    ...{ resultTokens: 900, pointer: 'ctx://outputs/a', callPointer: 'ctx://messages/1' },
    ...{ isBound: false, tokensOf: () => 10 },
  };
  return planLeaving(input, windowPolicy('default', { exceptions })).savedTokens;
}

test('errors and results with more than text stay where the policy says so', () => {
  for (const result of [{ isError: true }, { content: [text, opaque('image')] }]) {
    expect(savedBy(result, 'leave')).toBe(910);
    expect(savedBy(result, 'stay')).toBe(0);
  }
  expect(savedBy({}, 'stay')).toBe(910);
});

test('the tools that a search found always stay: their definitions stand nowhere else', () => {
  expect(savedBy({ content: [opaque('tool_reference')] }, 'leave')).toBe(0);
});

const given = {
  ...{ call, callSegment: 1, callTokens: 2000, resultSegment: 2, resultTokens: 900 },
  result: { type: 'tool_result', toolUseId: 'c', content: [text] } as ToolResultBlock,
  ...{ pointer: 'ctx://outputs/a', callPointer: 'ctx://messages/1', isBound: false },
};

type Sizes = Partial<Record<'callTokens' | 'resultTokens' | 'user' | 'assistant', number>>;

/** What a call and its result leave in the stub form, where stand-ins have these sizes. */
function stubbed({ user = 10, assistant = 20, ...sizes }: Sizes, isBound = false) {
  const tokensOf = ({ role }: Message): number => (role === 'user' ? user : assistant);
  const policy = windowPolicy('default', { form: 'stub', inputStubTokens: 1000 });
  return planLeaving({ ...given, ...sizes, isBound, tokensOf }, policy);
}

test('in the stub form a large input and the result become stubs, each with the address of the whole', () => {
  const content = [{ type: 'text', text: resultStub('ctx://outputs/a') }];
  const input = inputStub(call, 'ctx://messages/1');
  expect(stubbed({})).toEqual({
    edits: [
      { segment: 1, form: 'stub', block: { ...call, input }, tokens: 20 },
      { segment: 2, form: 'stub', block: { ...given.result, content }, tokens: 10 },
    ],
    savedTokens: 1980 + 890,
  });
});

test('no stub takes the place of what is as small as the stub, nor of an input that is small', () => {
  const segments = (sizes: Sizes, isBound = false) => {
    const { edits, savedTokens } = stubbed(sizes, isBound);
    return [edits.map(({ segment }) => segment), savedTokens];
  };
  expect(segments({ callTokens: 1001 })).toEqual([[1, 2], 981 + 890]);
  expect(segments({ callTokens: 1000 })).toEqual([[2], 890]);
  expect(segments({ callTokens: 1001, assistant: 1001 })).toEqual([[2], 890]);
  expect(segments({ resultTokens: 11 })).toEqual([[1, 2], 1980 + 1]);
  expect(segments({ resultTokens: 10 })).toEqual([[1], 1980]);
  expect(segments({}, true)).toEqual([[2], 890]);
});

test('a call whose message holds thinking stays, and its result becomes a stub', () => {
  const tokensOf = (): number => 10;
  const input = { ...given, isBound: true, tokensOf };
  expect(planLeaving(input, windowPolicy()).edits).toMatchObject([{ segment: 2, form: 'stub' }]);
  const free = planLeaving({ ...input, isBound: false }, windowPolicy());
  const line = ledgerLine(call, 'ctx://outputs/a', 'ctx://messages/1');
  expect(free).toEqual({
    edits: [
      { segment: 1, form: 'gone', tokens: 0 },
      { segment: 2, form: 'ledger', block: { type: 'text', text: line }, tokens: 10 },
    ],
    savedTokens: 2890,
  });
});

test('tools that a search found stay among other parts, and what only looks like them leaves', () => {
  const found = { content: [text, opaque('tool_reference')] };
  expect(savedBy(found, 'leave')).toBe(0);
  expect(savedBy({ content: [text, opaque('image')] }, 'leave')).toBe(910);
  const tokensOf = (): number => 10;
  const result: ToolResultBlock = { ...given.result, ...found };
  expect(planLeaving({ ...given, result, tokensOf }, windowPolicy())).toEqual({
    edits: [],
    savedTokens: 0,
  });
});

test('what stands for a call and its result is measured as it will be shown', () => {
  const tokensOf = ({ role, content }: Message): number => JSON.stringify([role, content]).length;
  for (const form of ['stub', 'ledger'] as const) {
    const { edits } = planLeaving({ ...given, tokensOf }, windowPolicy('default', { form }));
    const [call, result] = edits;
    expect(result?.tokens).toBe(tokensOf({ role: 'user', content: [result?.block ?? text] }));
    const shown = call?.block === undefined ? [] : [call.block];
    const tokens = shown.length === 0 ? 0 : tokensOf({ role: 'assistant', content: shown });
    expect(call?.tokens).toBe(tokens);
  }
});
