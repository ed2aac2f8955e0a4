import { expect, test } from 'vitest';
import { describeCall } from './tool-use.ts';

const of = (name: string, input: unknown) =>
  describeCall({ type: 'tool_use', id: 'a', name, input });

test.each([
  ['Read', { file_path: './src//a.ts' }, { access: 'read', path: 'src/a.ts', range: '' }],
  ['Edit', { file_path: '/a.ts', old_string: 'x' }, { access: 'edit', path: '/a.ts', range: '' }],
  ['Bash', { command: 'cat src/a.ts' }, { access: 'read', path: 'src/a.ts' }],
  [
    'str_replace_editor',
    { command: 'view', path: 'a.ts' },
    { access: 'read', path: 'a.ts', range: '' },
  ],
  [
    'str_replace_editor',
    { command: 'str_replace', path: 'a.ts' },
    { access: 'edit', path: 'a.ts' },
  ],
])('%s of %j reads or edits a file', (name, input, expected) => {
  expect(of(name, input)).toMatchObject(expected);
});

test.each([
  ['Bash', { command: 'cat a.ts | grep x' }],
  ['Bash', { command: 'npm test' }],
  ['Grep', { pattern: 'x' }],
  ['Read', 'no object'],
  ['Read', null],
])('%s of %j does neither', (name, input) => {
  expect(of(name, input)).toBeUndefined();
});

test('pages of a file are told apart, equal ones are not', () => {
  const page = (offset: number) => of('Read', { path: 'a.ts', offset, limit: 100 })?.range;
  expect(page(1)).not.toBe(page(101));
  expect(page(1)).toBe(page(1));
  expect(of('Bash', { command: "sed -n '1,9p' a.ts" })?.range).not.toBe('');
});
