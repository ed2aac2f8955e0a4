import { expect, test } from 'vitest';
import { exitCodeOf } from './exit-code.ts';

test('an exit code is read from what the shell says, not from the timed line of a log that it shows', () => {
  expect(exitCodeOf('Exit code 1\nboom')).toBe(1);
  expect(exitCodeOf('{"output":"a","at":"2026-02-09T07:16:29Z","exit_code":0}')).toBe(0);
  const log = 'test\t2026-02-09T07:16:29.05Z ##[error]Process completed with exit code 1.';
  expect(exitCodeOf(log)).toBeUndefined();
  expect(exitCodeOf(`Process exited with code 0\n${log}`)).toBe(0);
});
