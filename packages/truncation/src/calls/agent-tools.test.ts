import { expect, test } from 'vitest';
import { describeCall } from './describe-call.ts';
import { editNeedsOf } from './edit-needs.ts';
import { wholeFile } from './files/line-range.ts';

const call = (name: string, input: unknown) =>
  ({ type: 'tool_use', id: 'a', name, input }) as const;

const range = { first: 5, last: 9 };

test.each([
  ['Amp', 'Read', { path: 'a.ts', read_range: [5, 9] }, range],
  ['Augment', 'view', { path: 'a.ts', type: 'file', view_range: [5, 9] }, range],
  ['Codex', 'read_file', { file_path: 'a.ts', offset: 5, limit: 5 }, range],
  ['Continue', 'read_file', { filepath: 'a.ts' }, wholeFile],
  ['Continue', 'read_file_range', { filepath: 'a.ts', startLine: 5, endLine: 9 }, range],
  ['Copilot', 'read_file', { filePath: 'a.ts', startLine: 5, endLine: 9 }, range],
  ['Copilot CLI', 'view', { path: 'a.ts', view_range: [5, 9] }, range],
  ['Crush', 'view', { file_path: 'a.ts', offset: 5, limit: 5 }, range],
  [
    'Cursor',
    'read_file',
    { target_file: 'a.ts', start_line_one_indexed: 5, end_line_one_indexed_inclusive: 9 },
    range,
  ],
  ['Desktop Commander', 'read_file', { path: 'a.ts', offset: 4, length: 5 }, 'unknown'],
  ['Gemini CLI', 'read_file', { absolute_path: 'a.ts', offset: 4, limit: 5 }, 'unknown'],
  ['Gemini CLI', 'read_file', { file_path: 'a.ts', start_line: 5, end_line: 9 }, range],
  ['GitHub', 'mcp__github__get_file_contents', { owner: 'o', repo: 'r', path: 'a.ts' }, 'unknown'],
  ['Goose', 'developer__text_editor', { command: 'view', path: 'a.ts', view_range: [5, 9] }, range],
  ['JetBrains', 'get_file_text_by_path', { pathInProject: 'a.ts' }, wholeFile],
  ['Kimi', 'ReadFile', { path: 'a.ts', line_offset: 5, n_lines: 5 }, range],
  ['OpenHands', 'str_replace_editor', { path: 'a.ts', start: 0, end: -1 }, wholeFile],
  ['OpenHands', 'str_replace_editor', { path: 'a.ts', view_range: [5, 9] }, range],
  ['Serena', 'read_file', { relative_path: 'a.ts', start_line: 4, end_line: 8 }, 'unknown'],
  ['Windsurf', 'view_file', { AbsolutePath: 'a.ts', StartLine: 5, EndLine: 9 }, range],
  ['an unknown agent', 'view_code', { path: 'a.ts', mode: 'outline' }, 'unknown'],
])('what %s reads with %s of %j', (_, name, input, lines) => {
  const use = describeCall(call(name, input));
  expect(use).toMatchObject({ access: 'read', shown: [{ path: 'a.ts', lines }] });
});

test.each([
  ['Gemini CLI', 'read_many_files', { paths: ['a.ts', 'b.ts'] }],
  ['MCP', 'mcp__filesystem__read_multiple_files', { paths: ['a.ts', 'b.ts'] }],
  ['Roo', 'read_file', { args: { file: [{ path: 'a.ts' }, { path: 'b.ts' }] } }],
  ['Roo', 'read_file', { files: [{ path: 'a.ts', line_ranges: [[5, 9]] }, { path: 'b.ts' }] }],
  ['Warp', 'read_files', { files: [{ name: 'a.ts' }, { name: 'b.ts' }, { name: 'src/*.ts' }] }],
])('each file that %s reads with %s of %j', (_, name, input) => {
  const use = describeCall(call(name, input));
  expect(use).toMatchObject({ access: 'read', path: 'a.ts' });
  expect(use?.shown?.map(({ path }) => path)).toEqual(['a.ts', 'b.ts']);
});

test.each([
  ['OpenAI', 'shell', { action: { commands: ['cd src', 'cat a.ts'] } }],
  ['OpenAI', 'local_shell', { action: { type: 'exec', command: ['cat', 'a.ts'] } }],
  ['Augment', 'launch-process', { command: 'cat a.ts', cwd: '.' }],
  ['Windsurf', 'run_command', { CommandLine: 'cat a.ts', Cwd: '.' }],
])('what %s prints with %s of %j', (_, name, input) => {
  expect(describeCall(call(name, input))).toMatchObject({ access: 'read', shows: 'file' });
});

test.each([
  ['Augment', 'str-replace-editor', { command: 'str_replace', path: 'a.ts', old_str_1: 'old' }],
  ['Continue', 'single_find_and_replace', { filepath: 'a.ts', old_string: 'old' }],
  [
    'Copilot',
    'multi_replace_string_in_file',
    { replacements: [{ filePath: 'a.ts', oldString: 'old' }] },
  ],
  ['JetBrains', 'replace_text_in_file', { pathInProject: 'a.ts', oldText: 'old' }],
  ['Kimi', 'StrReplaceFile', { path: 'a.ts', edit: { old: 'old', new: 'x' } }],
  ['OpenAI', 'apply_patch', { type: 'update_file', path: 'a.ts', diff: '@@\n-old\n+new' }],
  [
    'Windsurf',
    'replace_file_content',
    { TargetFile: 'a.ts', ReplacementChunks: [{ TargetContent: 'old' }] },
  ],
])('what %s edits with %s of %j', (_, name, input) => {
  expect(describeCall(call(name, input))).toMatchObject({ access: 'edit', path: 'a.ts' });
  expect(editNeedsOf(call(name, input)).oldTexts).toEqual(['old']);
});
