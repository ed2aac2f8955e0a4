import type { ToolResultBlock, ToolUseBlock } from '@ctx/core';
import { expect, test } from 'vitest';
import { windowPolicy } from '../window-policy.ts';
import { planLeaving } from './plan-leaving.ts';

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
