import { CtxError, type CtxErrorCode, errorAdvice } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { httpErrors } from './http-errors.ts';
import { problemOf } from './problem-of.ts';

describe('errors over HTTP', () => {
  it('maps every code', () => {
    const codes = Object.keys(errorAdvice).sort();
    expect(Object.keys(httpErrors).sort()).toEqual(codes);
    for (const { status } of Object.values(httpErrors)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
    }
  });

  it('tells nothing of a failure of the server but its kind', () => {
    const codes: readonly CtxErrorCode[] = ['CTX_STORE_IO', 'CTX_STORE_CORRUPT', 'CTX_STORE_FULL'];
    for (const code of codes) {
      const { problem } = problemOf(new CtxError(code, '/home/someone/ctx.db broke'));
      expect(JSON.stringify(problem)).not.toContain('someone');
      expect(problem.code).toBe(code);
    }
    const { problem } = problemOf(new Error('SELECT * FROM keys'));
    expect(problem).toEqual({ type: 'about:blank', title: 'Unexpected error', status: 500 });
  });

  it('says the same of everything that is not there', () => {
    const one = problemOf(new CtxError('CTX_NOT_FOUND', 'there is no item one'));
    const two = problemOf(new CtxError('CTX_NOT_FOUND', 'there is no session two'));
    expect(one.problem).toEqual(two.problem);
  });
});
