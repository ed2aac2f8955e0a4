import { describe, expect, it } from 'vitest';
import { turnNumbers } from '../select/turn-numbers.ts';
import { argsText } from '../words/args-text.ts';
import { documentOfOutput } from './document-of-output.ts';
import { toolAccess } from '../calls/file-access.ts';

describe('documentOfOutput', () => {
  it('knows a file read by the name of the tool', () => {
    const output = {
      id: 'a',
      toolName: 'Read',
      args: { file_path: 'src/a.ts', limit: 5 },
      path: 'src/a.ts',
      sequence: 3,
    };
    expect(documentOfOutput(output, { body: 'text', turn: 2 })).toEqual({
      id: 'a',
      args: 'src/a.ts',
      body: 'text',
      path: 'src/a.ts',
      access: 'read',
      isFileRead: true,
      sequence: 3,
      turn: 2,
    });
  });

  it('takes no path from a tool that only searches there', () => {
    const output = {
      id: 'a',
      toolName: 'Grep',
      args: { pattern: 'x', path: 'src' },
      path: 'src',
      sequence: 0,
    };
    expect(documentOfOutput(output)).toEqual({ id: 'a', args: 'x\nsrc', sequence: 0 });
  });
});

describe('toolAccess', () => {
  it.each([
    ['Edit', 'edit'],
    ['MultiEdit', 'edit'],
    ['write_file', 'edit'],
    ['str_replace_based_edit_tool', 'edit'],
    ['apply_patch', 'edit'],
    ['readFile', 'read'],
    ['open_file', 'read'],
    ['bash', 'read'],
    ['web_search', undefined],
    ['Grep', undefined],
  ])('takes %s for %s', (toolName, access) => {
    expect(toolAccess(toolName, {})?.access).toBe(access);
  });

  it('takes the view of an editor for a read', () => {
    expect(toolAccess('str_replace_based_edit_tool', { command: 'view' })).toEqual({
      access: 'read',
      isFileRead: true,
    });
  });
});

describe('argsText', () => {
  it('gives the strings at any depth, a line each', () => {
    expect(argsText({ a: 'one', b: [{ c: 'two' }, 3, null, ''], d: true })).toBe('one\ntwo');
  });

  it('survives cycles and getters that throw', () => {
    const cycle: Record<string, unknown> = { text: 'once' };
    cycle['self'] = cycle;
    expect(argsText(cycle)).toContain('once');
    const hostile = {
      get text(): string {
        throw new Error('no');
      },
    };
    expect(argsText(hostile)).toBe('');
  });

  it('is no longer than asked for', () => {
    expect(argsText(['abc', 'def', 'ghi'], 5)).toBe('abc\nd');
  });
});

describe('turnNumbers', () => {
  it('starts a turn with each new query and leaves out what has none', () => {
    const outputs = [
      { id: 'a', queryId: 'q1' },
      { id: 'b', queryId: 'q1' },
      { id: 'c' },
      { id: 'd', queryId: 'q2' },
      { id: 'e', queryId: 'q1' },
    ];
    expect([...turnNumbers(outputs)]).toEqual([
      ['a', 0],
      ['b', 0],
      ['d', 1],
      ['e', 2],
    ]);
  });
});
