import { CtxError, type CtxErrorCode, errorAdvice } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { cliErrors, exitCodeOf, failureJson, failureOf, failureText } from './cli-errors.ts';

describe('errors on the command line', () => {
  it('map every code to a title and an exit code', () => {
    expect(Object.keys(cliErrors).sort()).toEqual(Object.keys(errorAdvice).sort());
    for (const { title, exitCode } of Object.values(cliErrors)) {
      expect(title).not.toBe('');
      expect([1, 2, 3, 4, 5, 130]).toContain(exitCode);
    }
  });

  it.each<[CtxErrorCode, number]>([
    ['CTX_INVALID_INPUT', 2],
    ['CTX_NOT_FOUND', 3],
    ['CTX_STORE_CONFLICT', 4],
    ['CTX_NOT_ALLOWED', 5],
    ['CTX_STORE_FULL', 1],
    ['CTX_ABORTED', 130],
  ])('end %s with %i', (code, exitCode) => {
    expect(failureOf(new CtxError(code, 'x')).exitCode).toBe(exitCode);
    expect(exitCodeOf(code)).toBe(exitCode);
  });

  it('say what happened, why and what to do', () => {
    const error = new CtxError('CTX_STORE_IO', 'the file a cannot be read', {
      cause: new Error('EIO\nstack'),
    });
    expect(failureText(failureOf(error))).toBe(
      'ctx: Disk or system error (CTX_STORE_IO)\n  the file a cannot be read\n  cause: EIO\n  → The disk or the operating system refused. See the cause.\n',
    );
  });

  it('are one line of JSON where JSON was asked for', () => {
    const line = failureJson(failureOf(new CtxError('CTX_NOT_FOUND', 'no session a')));
    expect(JSON.parse(line)).toEqual({
      error: {
        code: 'CTX_NOT_FOUND',
        title: 'Not found',
        message: 'no session a',
        advice: errorAdvice.CTX_NOT_FOUND,
        exitCode: 3,
      },
    });
  });

  it.each<[CtxErrorCode, string, string | undefined]>([
    ['CTX_NOT_FOUND', 'there is no file /a', 'Check the path.'],
    ['CTX_NOT_FOUND', 'there is no store at /a', 'Check the path.'],
    ['CTX_NOT_FOUND', 'there is no session a', errorAdvice.CTX_NOT_FOUND],
    [
      'CTX_ABORTED',
      'the import was stopped',
      'Nothing was left half done. Run the command again to go on.',
    ],
    ['CTX_NOT_ALLOWED', 'nothing was destroyed; --yes answers the question', undefined],
    [
      'CTX_AMBIGUOUS',
      'several sessions begin with a: ab, abc',
      'Write more of the id. One that is the beginning of others is written in full.',
    ],
    [
      'CTX_STORE_CONFLICT',
      'the document of a has a history already: compact it without --from-log',
      undefined,
    ],
    [
      'CTX_STORE_CORRUPT',
      'the store /a is no store of ctx: it is no SQLite database',
      'Name the file of a store, or a file that does not exist yet.',
    ],
    [
      'CTX_TRANSCRIPT_UNKNOWN_FORMAT',
      'a: unclear',
      expect.stringContaining('is a transcript') as string,
    ],
  ])('advise what fits the situation: %s, %s', (code, message, advice) => {
    expect(failureOf(new CtxError(code, message)).advice).toEqual(advice);
  });

  it('have a title of their own where that of the code would be false', () => {
    const foreign = new CtxError('CTX_STORE_CORRUPT', 'the store /a is no store of ctx: x');
    expect(failureOf(foreign).title).toBe('Not a store');
    expect(failureOf(new CtxError('CTX_STORE_CORRUPT', 'a')).title).toBe('The store is damaged');
  });

  it('are failures where they are not of ctx', () => {
    expect(failureOf(new TypeError('bad'))).toEqual({
      title: 'Unexpected error',
      exitCode: 1,
      code: 'UNEXPECTED',
      message: 'bad',
    });
    expect(failureOf('odd').message).toBe('odd');
    expect(exitCodeOf('CTX_FUTURE')).toBe(1);
  });
});
