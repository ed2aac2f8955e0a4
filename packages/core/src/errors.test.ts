import { expect, test } from 'vitest';
import { CtxError, isCtxError } from './errors.ts';

test('an error as text names its code', () => {
  const error = new CtxError('CTX_NOT_FOUND', 'there is no session x');
  expect(String(error)).toBe('CtxError [CTX_NOT_FOUND]: there is no session x');
  expect(error.message).toBe('there is no session x');
});

test('an error of another copy of the package is known by its name and code', () => {
  const foreign = Object.assign(new Error('busy'), { name: 'CtxError', code: 'CTX_STORE_BUSY' });
  expect([isCtxError(foreign), isCtxError(foreign, 'CTX_STORE_BUSY')]).toEqual([true, true]);
  expect([isCtxError(foreign, 'CTX_NOT_FOUND'), isCtxError(new Error('x'))]).toEqual([
    false,
    false,
  ]);
});
