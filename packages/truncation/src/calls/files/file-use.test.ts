import { describe, expect, it } from 'vitest';
import { defaultFileTools, type FileToolTable } from './file-tools.ts';
import { fileUseOf } from './file-use.ts';
import { wholeFile } from './line-range.ts';

const patch = [
  '*** Begin Patch',
  '*** Update File: src/a.ts',
  '*** Move to: src/b.ts',
  '@@',
  '-old',
  '+*** not a header',
  '*** Add File: new file.md',
  '+text',
  '*** Delete File: c.ts',
  '*** End Patch',
].join('\n');
const patched = ['src/a.ts', 'src/b.ts', 'new file.md', 'c.ts'];

describe('fileUseOf', () => {
  it.each([
    ['Claude Code', 'Read', { file_path: '/a.ts' }, [1, 2000]],
    ['Claude Code', 'Read', { file_path: '/a.ts', offset: 101, limit: 50 }, [101, 150]],
    ['Claude Code', 'Read', { file_path: '/a.ts', offset: 101 }, [101, 2100]],
    ['Claude Code', 'Read', { file_path: '/a.ts', limit: '20' }, [1, 20]],
    ['Claude Code', 'NotebookRead', { notebook_path: '/a.ts' }, 'whole'],
    ['Cline', 'read_file', { path: '/a.ts' }, 'whole'],
    ['Roo', 'read_file', { path: '/a.ts', start_line: 5, end_line: 9 }, [5, 9]],
    ['Roo', 'read_file', { path: '/a.ts', start_line: 5 }, [5, Infinity]],
    ['Roo', 'read_file', { files: [{ path: '/a.ts' }] }, 'whole'],
    ['Roo', 'read_file', { files: [{ path: '/a.ts', line_ranges: ['1-9'] }] }, 'unknown'],
    ['MCP', 'mcp__filesystem__read_text_file', { path: '/a.ts', head: 30 }, [1, 30]],
    ['MCP', 'mcp__filesystem__read_text_file', { path: '/a.ts', tail: 30 }, 'unknown'],
    ['MCP', 'filesystem.read_file', { path: '/a.ts' }, 'whole'],
    ['OpenHands', 'str_replace_editor', { command: 'view', path: '/a.ts' }, 'whole'],
    [
      'OpenHands',
      'str_replace_editor',
      { command: 'view', path: '/a.ts', view_range: [10, -1] },
      [10, Infinity],
    ],
    [
      'OpenHands',
      'str_replace_editor',
      { command: 'view', path: '/a.ts', view_range: [10, 20] },
      [10, 20],
    ],
    ['SWE-agent', 'open', { path: '/a.ts' }, [1, 100]],
    ['SWE-agent', 'open', { path: '/a.ts', line_number: 400 }, 'unknown'],
  ])('knows what %s reads with %s %j', (_, name, input, lines) => {
    const use = fileUseOf({ name, input });
    expect(use).toMatchObject({ access: 'read', paths: ['/a.ts'] });
    const [first, last] = Array.isArray(lines) ? lines : [];
    const expected = lines === 'whole' ? wholeFile : lines === 'unknown' ? lines : { first, last };
    expect(use?.lines).toEqual(expected);
  });

  it.each([
    ['Claude Code', 'Edit', { file_path: '/a.ts' }],
    ['Claude Code', 'Write', { file_path: '/a.ts' }],
    ['Claude Code', 'MultiEdit', { file_path: '/a.ts' }],
    ['Claude Code', 'NotebookEdit', { notebook_path: '/a.ts' }],
    ['Cline', 'write_to_file', { path: '/a.ts' }],
    ['Cline', 'replace_in_file', { path: '/a.ts' }],
    ['Roo', 'apply_diff', { path: '/a.ts' }],
    ['OpenHands', 'str_replace_editor', { command: 'str_replace', path: '/a.ts' }],
    ['SWE-agent', 'create', { filename: '/a.ts' }],
    ['MCP', 'mcp__fs__write_file', { path: '/a.ts' }],
    ['MCP', 'mcp__fs__edit_file', { path: '/a.ts' }],
  ])('knows what %s writes with %s', (_, name, input) => {
    expect(fileUseOf({ name, input })).toMatchObject({ access: 'write', paths: ['/a.ts'] });
  });

  it('reads the paths of a patch of Codex in each form of the call', () => {
    for (const input of [patch, { input: patch }, { patch }]) {
      expect(fileUseOf({ name: 'apply_patch', input })?.paths).toEqual(patched);
    }
    const command = ['apply_patch', patch];
    expect(fileUseOf({ name: 'shell', input: { command } })?.paths).toEqual(patched);
    expect(fileUseOf({ name: 'shell', input: { command: ['ls'] } })?.paths).toEqual([]);
  });

  it('lists every file of a call that reads several', () => {
    const input = { paths: ['a', 'b'] };
    expect(fileUseOf({ name: 'read_multiple_files', input })?.paths).toEqual(['a', 'b']);
  });

  it.each([
    ['Read', null],
    ['Read', 'file_path'],
    ['Read', { file_path: 7 }],
    ['Read', ['x']],
    ['read_file', { files: [null, 3, {}] }],
  ])('finds no path in an input of another shape: %s %j', (name, input) => {
    expect(fileUseOf({ name, input })?.paths).toEqual([]);
  });

  it('never reads what an input inherits', () => {
    const input: unknown = Object.create({ file_path: '/a.ts' });
    expect(fileUseOf({ name: 'Read', input })?.paths).toEqual([]);
  });

  it.each([
    [0, 50, [1, 50]],
    [-5, 50, [1, 50]],
    [10, 0, 'unknown'],
    [10, -3, 'unknown'],
  ])('lets no odd range through: offset %i, limit %i', (offset, limit, lines) => {
    const use = fileUseOf({ name: 'Read', input: { file_path: 'a', offset, limit } });
    const [first, last] = Array.isArray(lines) ? lines : [];
    expect(use?.lines).toEqual(lines === 'unknown' ? lines : { first, last });
  });

  it('does not know tools that are not in the table, nor other commands of one that is', () => {
    expect(fileUseOf({ name: 'Bash', input: { command: 'cat a' } })).toBeUndefined();
    expect(fileUseOf({ name: '', input: {} })).toBeUndefined();
    const input = { command: 'dance', path: 'a' };
    expect(fileUseOf({ name: 'str_replace_editor', input })).toBeUndefined();
  });

  it("takes the caller's tools first", () => {
    const table: FileToolTable = [
      {
        names: ['peek'],
        access: 'read',
        paths: [{ form: 'field', field: 'what' }],
        lines: [{ form: 'first-last', first: 'from', last: 'to' }],
      },
      ...defaultFileTools,
    ];
    const input = { what: 'a.ts', from: 2, to: 3 };
    expect(fileUseOf({ name: 'Peek', input }, table)).toMatchObject({
      paths: ['a.ts'],
      lines: { first: 2, last: 3 },
    });
    expect(fileUseOf({ name: 'Read', input: { file_path: 'b' } }, table)?.paths).toEqual(['b']);
  });
});
