import { isCtxError } from '@ctx/core';
import { expect, test } from 'vitest';
import { limitTokensOf, type WindowPolicy, windowModes, windowPolicy } from './window-policy.ts';

test('the modes differ as the decision on the rule has it', () => {
  const { default: standard, thrifty, evidence } = windowModes;
  expect(standard).toMatchObject({ workCalls: 36, holdTokens: 19_000, patience: 3 });
  expect(thrifty).toMatchObject({ workCalls: 25, holdTokens: 15_000, patience: 2 });
  expect(evidence.partTailTokens).toBeGreaterThan(standard.partTailTokens);
});

test.each([
  ['tailTokens', { tailTokens: -1 }],
  ['patience', { patience: Number.NaN }],
  ['lowMarkShare', { lowMarkShare: 0 }],
  ['holdShare', { holdShare: 1.5 }],
  ['partShare', { partShare: 0 }],
  ['coldTailTokens', { coldTailTokens: 30_000 }],
  ['previewTokens', { previewTokens: 3000 }],
  ['form', { form: 'other' as 'stub' }],
  ['lineNumbers', { lineNumbers: 'some' as 'all' }],
])('refuses a %s that makes no sense, and names it', (field, changes: Partial<WindowPolicy>) => {
  let caught: unknown;
  try {
    windowPolicy('default', changes);
  } catch (error) {
    caught = error;
  }
  expect(isCtxError(caught, 'CTX_INVALID_INPUT')).toBe(true);
  expect(String(caught)).toContain(field);
});

test('what is asked for in so many words holds in small windows, too', () => {
  const { smallWindow } = windowPolicy('default', { patience: 3 });
  expect(smallWindow?.numbers).toMatchObject({ patience: 3, lowMarkShare: 0.5 });
  const own = { fromTokens: 1, belowTokens: 2, numbers: { tailTokens: 9000 } };
  expect(windowPolicy('thrifty', { patience: 3, smallWindow: own }).smallWindow).toBe(own);
  expect(windowPolicy('default', { smallWindow: undefined }).smallWindow).toBeUndefined();
});

test('refuses numbers for small windows that make no sense', () => {
  const numbers = { coldTailTokens: 30_000 };
  const smallWindow = { fromTokens: 1, belowTokens: 2, numbers };
  expect(() => windowPolicy('default', { smallWindow })).toThrow('coldTailTokens');
});

test('keeps room for the answer, never more than an eighth of the window', () => {
  expect(limitTokensOf(windowModes.default, 200_000)).toBe(192_000);
  expect(limitTokensOf(windowModes.default, 8000)).toBe(7000);
});

test('leaves as much room as the answer may have, at least the usual and at most half of the window', () => {
  expect(limitTokensOf(windowModes.default, 200_000, 64_000)).toBe(136_000);
  expect(limitTokensOf(windowModes.default, 200_000, 1000)).toBe(192_000);
  expect(limitTokensOf(windowModes.default, 32_000, 64_000)).toBe(16_000);
});
