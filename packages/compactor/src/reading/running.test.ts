import type { Message } from '@ctx/core';
import { expect, test } from 'vitest';
import { step, user } from '../test-support/conversation.ts';
import { ranCommands } from './commands.ts';
import { openErrors } from './outcomes/open-errors.ts';
import { surveyHistory } from './read-history.ts';

const begun = step(
  'a',
  'exec_command',
  { cmd: 'go test ./...' },
  'Chunk ID: 1\nWall time: 1.0 seconds\nProcess running with session ID 42\nOutput:\n',
);
const shown = (id: string, line: string, output = '') =>
  step(
    id,
    'write_stdin',
    { session_id: 42, chars: '' },
    `Chunk ID: ${id}\n${line}\nOutput:\n${output}`,
  );

const goesOn = shown('b', 'Process running with session ID 42', 'ok a\n');

test('a command that ran on ended as its last result shows', () => {
  const outcomeOf = (...more: ReturnType<typeof step>[]): readonly string[] =>
    ranCommands(surveyHistory([user('Go.'), ...begun, ...more.flat()])).map(
      ({ outcome }) => outcome,
    );
  expect(outcomeOf()).toEqual(['(outcome not shown)']);
  expect(outcomeOf(goesOn)).toEqual(['(outcome not shown)']);
  expect(outcomeOf(goesOn, shown('c', 'Process exited with code 0'))).toEqual(['(exit 0)']);
  expect(outcomeOf(goesOn, shown('c', 'Process exited with code 1'))).toEqual(['(exit 1)']);
});

test('the error of a command that ran on is in what was shown of it, under its name', () => {
  const failed = shown('c', 'Process exited with code 1', '--- FAIL: TestLexer (0.01s)\n');
  const errors = (...more: Message[]) =>
    openErrors(surveyHistory([user('Go.'), ...begun, ...more]));
  expect(errors(...shown('c', 'Process exited with code 1', 'nothing to do'))).toMatchObject([
    { text: 'nothing to do' },
  ]);
  expect(errors(...goesOn, ...failed)).toMatchObject([
    { subject: 'exec_command go test ./...', text: '--- FAIL: TestLexer (0.01s)' },
  ]);
});

test('a shell in the background of Claude Code is read alike, and another shell is not', () => {
  const inBackground = step(
    'a',
    'Bash',
    { command: 'npm test', run_in_background: true },
    'Command running in background with ID: bash_1',
  );
  const output = (id: string) =>
    step('b', 'BashOutput', { bash_id: id }, '<status>failed</status>\n<exit_code>1</exit_code>');
  const outcomeOf = (id: string) =>
    ranCommands(surveyHistory([user('Go.'), ...inBackground, ...output(id)]))[0]?.outcome;
  expect(outcomeOf('bash_1')).toBe('(exit 1)');
  expect(outcomeOf('bash_2')).toBe('(outcome not shown)');
});
