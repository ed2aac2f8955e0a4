import type { Message } from '@ctx/core';
import { expect, test } from 'vitest';
import { assistant, call, result, step, user } from '../../test-support/conversation.ts';
import { surveyHistory } from '../read-history.ts';
import { openErrors } from './open-errors.ts';

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

test.each([
  ...['command -v docker', 'command -v bun && bun --version', 'test -f a.txt', '[ -d dist ]'],
  ...['git diff --quiet', 'git grep foo', 'cd a && grep -r foo src | head', 'pgrep -f vite'],
])('%s that is answered no has met no error', (command) => {
  expect(errorsAfter(command, 'Exit code 1')).toEqual([]);
});

test('a shell that knows no program it is asked for has met no error, one that should run it has', () => {
  expect(errorsAfter('type pnpm', 'Exit code 1\nbash: type: pnpm: not found')).toEqual([]);
  const unknown = 'bash: docker: command not found';
  expect(errorsAfter('docker ps', `Exit code 127\n${unknown}`)).toEqual([unknown]);
  const failing = 'Exit code 1\nerror: no such test';
  expect(errorsAfter('test -f a.txt && npm test', failing)).toEqual(['error: no such test']);
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

test('a call that the user refused has met no error', () => {
  const refused =
    "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nthat failed before";
  const made = assistant(call('a', 'Bash', { command: 'npm run deploy' }));
  const history = surveyHistory([user('Go.'), made, user(result('a', refused, true))]);
  expect(openErrors(history)).toEqual([]);
});

/** The errors that are left by these calls of a shell, in turn: a command, and what came back. */
function leftBy(...runs: readonly (readonly [command: string, answer: string])[]): string[] {
  const calls = runs.map(([command, answer], at) => step(String(at), 'Bash', { command }, answer));
  return openErrors(surveyHistory([user('Go.'), ...calls.flat()])).map(({ text }) => text);
}

const red = 'Exit code 1\n--- FAIL: TestLexer (0.46s)';

test.each([
  ['in a chain', 'cd a && mise run lint && mise run test 2>&1', 'ok a 0.1s\nexit code 0'],
  ['into a filter', 'mise run test 2>&1 | tail -20', 'ok  a/b  0.1s'],
  ['with settings', 'CI=1 mise run test', 'exit code 0'],
  ['searched for errors', 'mise run test 2>&1 | grep -iE "error|fail" | head -5', ''],
])('an error is over once its command went well %s', (_how, command, answer) => {
  expect(leftBy(['mise run test', red], [command, answer])).toEqual([]);
  expect(leftBy(['cd b && mise run test 2>&1 | tail -60', red], [command, answer])).toEqual([]);
});

test.each([
  ['another command', 'mise run lint', 'exit code 0'],
  ['a look at it', 'mise run test 2>&1 | grep -A5 Lexer', 'lexer.go:5: got 3'],
  ['an edit in words', 'echo "mise run test"', 'mise run test'],
])('an error stays open after %s', (_what, command, answer) => {
  expect(leftBy(['mise run test', red], [command, answer])).toEqual([
    '--- FAIL: TestLexer (0.46s)',
  ]);
});

test('a test that failed in two commands is mended with one of them, and a command has one state', () => {
  const other = ['go test ./lexer -v', 'Exit code 1\n--- FAIL: TestLexer (0.21s)'] as const;
  expect(
    leftBy(['mise run test', red], other, ['go test ./lexer -v', 'ok  \ta/lexer\t0.2s']),
  ).toEqual([]);
  const newer = ['npm run check | tail -3', 'Exit code 2\nsrc/b.ts(1,1): error TS2: no'] as const;
  expect(leftBy(['npm run check', 'Exit code 2\nsrc/a.ts(1,1): error TS1: no'], newer)).toEqual([
    'src/b.ts(1,1): error TS2: no',
  ]);
});

test('a look that found nothing is over once anything was done, and so is an exit code without a word', () => {
  const look = [
    'ls -d ~/a; echo ---; ls ~/b',
    'Exit code 1\nls: /a: No such file or directory',
  ] as const;
  expect(leftBy(look)).toHaveLength(1);
  expect(leftBy(look, ['pwd', '/c'])).toEqual([]);
  expect(leftBy(['git checkout -b x && ls y', 'Exit code 2'], ['pwd', '/c'])).toEqual([]);
});

test('a program that was missing is there once it ran', () => {
  const missing = [
    'go version && go test ./...',
    'Exit code 127\nzsh:1: command not found: go',
  ] as const;
  expect(leftBy(missing, ['go version', 'go1.24\nexit code 0'])).toEqual([]);
  expect(leftBy(missing, ['make', 'exit code 0'])).toHaveLength(1);
});

test('an edit that did not apply is over once the file was edited, by whatever tool or name', () => {
  const patch = { input: '*** Begin Patch\n*** Update File: /w/src/a.ts\n+x\n*** End Patch' };
  const failed = step('a', 'apply_patch', patch, 'apply_patch verification failed: no such line');
  const edited = step('b', 'Edit', { file_path: 'src/a.ts', new_string: 'x' }, 'updated');
  const other = step('b', 'Edit', { file_path: 'src/b.ts', new_string: 'x' }, 'updated');
  expect(openErrors(surveyHistory([user('Go.'), ...failed, ...edited]))).toEqual([]);
  expect(openErrors(surveyHistory([user('Go.'), ...failed, ...other]))).toHaveLength(1);
});

function errorsMarked(command: string, answer: string): string[] {
  const called = assistant(call('a', 'bash', { command }));
  const history = surveyHistory([user('Go.'), called, user(result('a', answer, true))]);
  return openErrors(history).map(({ text }) => text);
}

test('an error is named by what was said of it, not by a debugger that listens nor by a line of a file', () => {
  const debugged = 'Debugger attached.\nWaiting for the debugger to disconnect...';
  const failing = (output: string) => errorsMarked('node a.js', `${debugged}\n${output}`);
  expect(failing('no such table: users')).toEqual(['no such table: users']);
  const shown = '    27\t  // one line\n    28\t  // a consumer cannot tell';
  expect(errorsMarked('go vet . ; nl -ba a.go', `${shown}\nvet: bad use`)).toEqual([
    'vet: bad use',
  ]);
});

test('of a traceback the error at its end is named, not the line that raised it', () => {
  const trace =
    'Traceback (most recent call last):\n  File "x.py", line 1\n    raise AttributeError(\nAttributeError: no pixels\nmore';
  expect(leftBy(['python x.py', `Exit code 1\n${trace}`])).toEqual(['AttributeError: no pixels']);
});

test('a run without the options of a failed one went over more, one with others did not', () => {
  const one = ['go test ./sem -run Lexer -v', red] as const;
  expect(leftBy(one, ['go test ./sem', 'ok  \ta/sem\t0.2s'])).toEqual([]);
  expect(leftBy(one, ['go test ./cli', 'ok  \ta/cli\t0.2s'])).toHaveLength(1);
  expect(leftBy(one, ['go test ./sem -run Parser', 'ok  \ta/sem\t0.2s'])).toHaveLength(1);
});

test('where the host tells of failures, a run of which it tells none is over it', () => {
  const told = (command: string, answer: string, isError: boolean) => [
    assistant(call(command, 'Bash', { command })),
    user(result(command, answer, isError)),
  ];
  const failed = told('mise run fmt', 'mise ERROR error parsing config file', true);
  const leftAfter = (...more: Message[]) => openErrors(surveyHistory([...failed, ...more])).length;
  expect(leftAfter(...told('mise trust && mise run fmt', '', false))).toBe(0);
  expect(leftAfter(...told('mise run fmt | tail -1', '', false))).toBe(1);
  expect(leftAfter(...told('mise trust', '', false))).toBe(1);
});

/** Counts the errors left open by a failing test run, given what the assistant says before and after it. */
function leftAfterSaying(before: string, after: string, description = 'Run it'): number {
  const input = { command: 'mise run test', description };
  const told = [
    assistant(before, call('a', 'Bash', input)),
    user(result('a', red)),
    assistant(after),
  ];
  return openErrors(surveyHistory([user('Go.'), ...told])).length;
}

test.each([
  ['They should fail because `Phase` is not set yet:', 'Now the code.', 'Run it'],
  ['Now the test.', 'Tests fail as expected (red phase). Now the code.', 'Run it'],
  ['Now the test.', 'As expected, both fail.', 'Run it'],
  ['Let me verify that the new test fails first.', 'Now the code.', 'Run it'],
  ['Now the test.', 'Now the code.', 'Run phase test (should fail)'],
])('a run that was meant to fail blocks nothing: %s %s %s', (before, after, description) => {
  expect(leftAfterSaying(before, after, description)).toBe(0);
});

test.each([
  ['They should not fail now.', 'Still red.', 'Run it'],
  ['Let me see why they fail.', 'It did not fail as expected.', 'Run lint to see failures'],
  ['If it should fail, I look again.', 'An unexpected failure.', 'Run the failing test'],
  ['No test should fail now:', 'Still red.', 'Run it'],
  ['Nothing should fail any more.', 'Still red.', 'Check that no test must fail'],
  ['Run it.', 'The lexer works as expected, but the parser tests fail.', 'Run it'],
  ['Run it.', 'One test fails, all else is as expected.', 'Run it'],
  ['Run it.', 'A failure: the output is no longer as expected.', 'Run it'],
])('a failure that nobody wanted stays: %s %s %s', (before, after, description) => {
  expect(leftAfterSaying(before, after, description)).toBe(1);
});

const conflict = [
  'git fetch origin main && git merge origin/main',
  'Exit code 1\nCONFLICT (content): Merge conflict in a.ts\nAutomatic merge failed; fix conflicts and then commit the result.',
] as const;

test('a merge that waited is over with its commit, or once it was given up', () => {
  expect(leftBy(conflict)).toHaveLength(1);
  expect(leftBy(conflict, ['git add -A && git commit --no-edit', '[main 734d31a] Merge'])).toEqual(
    [],
  );
  expect(leftBy(conflict, ['git merge --abort', ''])).toEqual([]);
  expect(leftBy(conflict, ['git add -A', ''])).toHaveLength(1);
  expect(leftBy(conflict, ['git commit', 'Exit code 128\nfatal: unmerged'])).toHaveLength(2);
});

test('a package of Go that failed is over once the whole package went well, a single test once it did', () => {
  const one = ['go test ./sem -run "A|B"', `${red}\nFAIL\tx/sem\t0.5s\nFAIL`] as const;
  expect(leftBy(one, ['mise run test:ci', 'ok  \tx/cli\t0.1s\nok  \tx/sem\t0.2s'])).toEqual([]);
  expect(leftBy(one, ['mise run test:ci', 'ok  \tx/cli\t0.1s'])).toHaveLength(1);
  expect(leftBy(one, ['go test ./sem -run C', 'ok  \tx/sem\t0.2s'])).toHaveLength(1);
  expect(leftBy(one, ['cat log', 'ok  \tx/sem\t0.2s'])).toHaveLength(1);
  expect(leftBy(one, ['go test -v ./sem -run Lex', '--- PASS: TestLexer (0.48s)'])).toEqual([]);
  const two = [one[0], `${red}\n--- FAIL: TestParser (0.1s)\nFAIL\tx/sem\t0.5s`] as const;
  expect(leftBy(two, ['go test -v ./sem -run Lex', '--- PASS: TestLexer (0.48s)'])).toHaveLength(1);
});

test('a call that a host did not make, and the same place told by two commands, are no further errors', () => {
  const never = '<tool_use_error>Sibling tool call errored</tool_use_error>';
  const messages = [assistant(call('a', 'TaskUpdate', {})), user(result('a', never, true))];
  expect(openErrors(surveyHistory([user('Go.'), ...messages]))).toEqual([]);
  const told = "Exit code 2\nsrc/a.ts(5,15): error TS2305: no exported member 'B'";
  expect(leftBy(['npm run build', told], ['npm run publish', told])).toHaveLength(1);
  expect(
    leftBy(['make a', 'Exit code 1\nit failed'], ['make b', 'Exit code 1\nit failed']),
  ).toHaveLength(2);
});
