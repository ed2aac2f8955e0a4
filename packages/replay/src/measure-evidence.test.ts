import type { Message } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { createEvidenceMeter } from './measure-evidence.ts';

const call = (input: unknown): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'e', name: 'Edit', input }],
});
const result = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', toolUseId: 'r', content: [{ type: 'text', text }] }],
});

const needsOf = (input: unknown, ...results: string[]) =>
  createEvidenceMeter().needsOf([call(input)], results.map(result));

describe('what an edit rests on', () => {
  it.each([
    '  1→const a = 1;',
    '12\tconst a = 1;',
    '3|const a = 1;',
    '4: const a = 1;',
    'const a = 1;',
  ])('is found behind the line number in %j', (line) => {
    expect(needsOf({ old_string: '  const a = 1;\n\n' }, `x\n${line}\ny`)).toEqual([
      ['const a = 1;'],
    ]);
  });

  it('is each edit of a call with many, and none that is empty', () => {
    const edits = [{ old_string: 'one' }, { old_string: 'two\n\nthree' }, { old_string: ' \n' }];
    expect(needsOf({ edits }, 'one', 'three\ntwo')).toEqual([['one'], ['two', 'three']]);
  });

  it('is nothing where a line stood in no result', () => {
    expect(needsOf({ old_string: 'one\nfour' }, 'one\ntwo')).toEqual([]);
    expect(needsOf({ file_path: 'one', new_string: 'one' }, 'one')).toEqual([]);
    expect(needsOf(null, 'one')).toEqual([]);
  });

  it('is no search that replaces nothing', () => {
    expect(needsOf({ search: 'one' }, 'one')).toEqual([]);
    expect(needsOf({ search: 'one', replace: 'two' }, 'one')).toEqual([['one']]);
  });

  it('is not what the user or the model said, but may be in view there', () => {
    const said: Message = { role: 'user', content: [{ type: 'text', text: 'one' }] };
    const meter = createEvidenceMeter();
    expect(meter.needsOf([call({ old_string: 'one' })], [said])).toEqual([]);
    expect(meter.missingIn(['one', 'two'], [said])).toEqual(['two']);
    expect(meter.missingIn(['two'], [call({ new_string: 'two' })])).toEqual([]);
  });
});
