import { type Message, missingResultText } from '@ctx/core';
import { callOutcome } from '@ctx/relevance';
import { speech } from '@ctx/store';
import { expect, test } from 'vitest';
import { assistant, call, result, step, system, user } from '../test-support/conversation.ts';
import { callText } from './call-text.ts';
import { ranCommands } from './commands.ts';
import { newTextOf } from './edit-text.ts';
import { surveyHistory } from './read-history.ts';

test('calls come with what they asked, what came back, and where it is read again', () => {
  const messages = [
    system('Be kind.'),
    user('Go.'),
    assistant(
      'I look.',
      call('c1', 'Bash', { command: 'make' }),
      call('c2', 'Read', { path: 'a.ts' }),
    ),
    user(result('c1', 'broken\nexit code: 2'), result('c2', 'let a;', true)),
    assistant(call('c3', 'mystery', 'not an object')),
  ];
  const { calls, texts } = surveyHistory(messages, new Map([['c2', 'ctx://o2']]));
  expect(texts.map(({ role, text, callsBefore }) => [role, text, callsBefore])).toEqual([
    ['user', 'Go.', 0],
    ['assistant', 'I look.', 0],
  ]);
  expect(calls).toMatchObject([
    { id: 'c1', number: 0, command: 'make', exitCode: 2, isError: false },
    { id: 'c2', number: 1, path: 'a.ts', isError: true, result: 'let a;', pointer: 'ctx://o2' },
    { id: 'c3', number: 2 },
  ]);
  expect(calls[2]).not.toHaveProperty('result');
});

test('a program in the tool language of Codex is read as the commands and patches that it holds', () => {
  const patch =
    '*** Begin Patch\\n*** Update File: /app/src/a.ts\\n@@\\n-foo\\n+bar\\n*** End Patch';
  const program = `const patch = "${patch}"; text(await tools.apply_patch(patch));`;
  const run = 'text(await tools.exec_command({ cmd: "go test ./...", workdir: "/app" }));';
  const { calls } = surveyHistory([
    assistant('Now.', call('c1', 'exec', program), call('c2', 'exec', { code: run })),
    user(result('c1', 'Success'), result('c2', '--- FAIL: TestX (0.00s)\nFAIL')),
  ]);
  expect(calls).toMatchObject([
    { path: '/app/src/a.ts', access: { access: 'edit' }, patched: [{ lines: ['bar'] }] },
    { command: 'go test ./...' },
  ]);
  expect(ranCommands({ calls, texts: [] })).toMatchObject([{ outcome: '(failed)' }]);
});

test.each([
  ["sed -i 's/foo/bar.ts/' src/b.ts", 'src/b.ts', 'edit'],
  ["sed -i.bak -e 's/a/b/' src/b.ts && npm test", 'src/b.ts', 'edit'],
  ["perl -pi -e 's/a/b/' lib/c.pm", 'lib/c.pm', 'edit'],
  ["cat > src/c.ts <<'EOF'\nx\nEOF", 'src/c.ts', 'edit'],
  ['cat <<EOF >> src/c.ts\nx\nEOF', 'src/c.ts', 'edit'],
  ['echo x | tee -a notes.md', 'notes.md', 'edit'],
  ['sed -n 1,40p src/d.ts', 'src/d.ts', 'read'],
])('%j touches %s: %s', (command, path, access) => {
  const { calls } = surveyHistory([assistant('Now.', call('c1', 'Bash', { command }))]);
  expect(calls).toMatchObject([{ path, access: { access } }]);
});

test('what ctx put in for a result that never came is no outcome', () => {
  const { calls } = surveyHistory([
    assistant('I submit.', call('c1', 'submit', { command: 'submit' })),
    user(result('c1', missingResultText, true)),
  ]);
  expect(calls).toMatchObject([{ id: 'c1', isError: false }]);
  expect(calls[0]).not.toHaveProperty('result');
  expect(ranCommands({ calls, texts: [] })).toMatchObject([{ outcome: '(outcome not shown)' }]);
});

test('what a host put into a message is not what the user said', () => {
  expect(
    speech.spokenText('<system-reminder>Todo list is empty</system-reminder>\nFix it. <b>'),
  ).toBe('Fix it. <b>');
  expect(speech.spokenText('a <system-reminder>no end')).toBe('a <system-reminder>no end');
  const hidden: Message = user('<system-reminder>x</system-reminder>');
  expect(surveyHistory([hidden]).texts).toEqual([]);
});

test.each([
  ['Process exited with code 3', 3],
  ['{"exit_code": 0, "out": ""}', 0],
  ['<returncode>127</returncode>', 127],
  ['exit status 1', 1],
  [`${'x'.repeat(9000)}\nReturn code: -9`, -9],
  ['all is well', undefined],
  [`exit code 1${' '.repeat(5000)}${' '.repeat(5000)}.`, 1],
])('the exit code of %s is found at the ends of a result', (text, code) => {
  expect(callOutcome.exitCode(text)).toBe(code);
});

test('the new text of an edit is found under the names of many tools', () => {
  expect(newTextOf({ old_string: 'a', new_string: 'b' })).toBe('b');
  expect(newTextOf({ file_text: 'whole' })).toBe('whole');
  expect(newTextOf({ edits: [{ newText: 'x' }, { newText: 'y' }, 7] })).toBe('x\ny');
  expect(newTextOf('*** Update\n-old\n+new\n+++ b/x')).toBe('new');
  expect(newTextOf({ path: 'a' })).toBeUndefined();
  expect(newTextOf(null)).toBeUndefined();
});

test('arguments are read as text, whatever they are', () => {
  expect(callText({ a: 'x', b: { c: 1 } })).toBe('x\n{\n  "c": 1\n}');
  expect(callText('raw')).toBe('raw');
  expect(callText(undefined)).toBe('');
  const hostile = Object.defineProperty({}, 'a', {
    enumerable: true,
    get: () => {
      throw new Error('no');
    },
  });
  expect(callText(hostile)).toBe('');
  expect(surveyHistory([assistant(call('c', 'x', hostile))]).calls).toHaveLength(1);
});

test('sentences are cut at full stops, not in names, and lose the signs of lists', () => {
  expect(speech.sentencesOf('- Use v1.2 of a.ts. Then run it!\n2. Never stop')).toEqual([
    'Use v1.2 of a.ts.',
    'Then run it!',
    'Never stop',
  ]);
});

test('a command given as a list of words is one line', () => {
  const { calls } = surveyHistory(step('c1', 'shell', { command: ['bash', '-lc', 'ls'] }, 'x'));
  expect(calls[0]?.command).toBe('bash -lc ls');
  const view = surveyHistory(step('c1', 'str_replace_editor', { command: 'view', path: 'a' }, 'x'));
  expect(view.calls[0]).not.toHaveProperty('command');
});
