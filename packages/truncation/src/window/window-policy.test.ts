import { isCtxError } from '@ctx/core';
import { expect, test } from 'vitest';
import { limitTokensOf, type WindowPolicy, windowModes, windowPolicy } from './window-policy.ts';

test('the modes differ as the decision on the rule has it', () => {
  const { default: standard, thrifty, evidence } = windowModes;
  expect(standard).toMatchObject({ tailTokens: 19_000, coldTailTokens: 5000, patience: 4 });
  expect(thrifty).toMatchObject({ tailTokens: 10_000, coldTailTokens: 1000, patience: 2 });
  expect(evidence.partTailTokens).toBeGreaterThan(standard.partTailTokens);
});

test.each([
  ['tailTokens', { tailTokens: -1 }],
  ['patience', { patience: Number.NaN }],
  ['lowMarkShare', { lowMarkShare: 0 }],
  ['holdShare', { holdShare: 1.5 }],
  ['partShare', { partShare: 0 }],
  ['coldTailTokens', { coldTailTokens: 30_000 }],
  ['previewTokens', { previewTokens: 2000 }],
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

test('keeps room for the answer, never more than an eighth of the window', () => {
  expect(limitTokensOf(windowModes.default, 200_000)).toBe(192_000);
  expect(limitTokensOf(windowModes.default, 8000)).toBe(7000);
});
