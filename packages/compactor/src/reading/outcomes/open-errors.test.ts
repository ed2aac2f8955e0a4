import { expect, test } from 'vitest';
import { step, user } from '../../test-support/conversation.ts';
import { openErrors } from './open-errors.ts';
import { surveyHistory } from '../read-history.ts';

function errorsAfter(command: string, answer: string): string[] {
  const history = surveyHistory([user('Go.'), ...step('a', 'Bash', { command }, answer)]);
  return openErrors(history).map(({ text }) => text);
}

test.each([
  ['rg -n "panic|error" src', 'Exit code 1'],
  ['cd src && git show HEAD | grep "a|b"', 'Exit code 1'],
  ["grep -rn 'failed' . 2>/dev/null", 'Exit code 2\n./a.ts:3:throw new Error("failed")'],
])('%s that finds nothing, or lines about errors, has met no error', (command, answer) => {
  expect(errorsAfter(command, answer)).toEqual([]);
});

test('a search that complains has met an error, and other programs have', () => {
  expect(errorsAfter('rg --no-flag x', 'Exit code 2\nrg: unrecognized flag --no-flag')).toEqual([
    'rg: unrecognized flag --no-flag',
  ]);
  expect(errorsAfter('git show x | grep y', 'Exit code 1\nfatal: bad revision')).toEqual([
    'fatal: bad revision',
  ]);
  expect(errorsAfter('make "grep"', 'Exit code 2\nmake: *** [all] Error 2')).toEqual([
    'make: *** [all] Error 2',
  ]);
});

test.each([
  [
    'python x.py',
    'Traceback (most recent call last):\n  File "x.py", line 1\nKeyError: 3',
    'KeyError: 3',
  ],
  [
    'python x.py',
    'Traceback (most recent call last):\n  File "x.py"\nStopIteration',
    'StopIteration',
  ],
  [
    'go test ./...',
    '# lib: a warning of an error\n--- FAIL: TestA (0.00s)',
    '--- FAIL: TestA (0.00s)',
  ],
])('the line of %s that tells most is named: %j', (command, answer, told) => {
  expect(errorsAfter(command, `Exit code 1\n${answer}`)).toEqual([told]);
});
