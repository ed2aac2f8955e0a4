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

  it('is what a patch keeps and takes out, each hunk by itself, in a shell and in code mode, too', () => {
    const patch =
      '*** Begin Patch\n*** Update File: a.go\n@@ func a\n one\n-two\n+2\n@@\n-four\n+4\n*** End Patch';
    const expected = [['one', 'two'], ['four']];
    const shown = 'one\ntwo\nthree\nfour';
    expect(needsOf({ input: patch }, shown)).toEqual(expected);
    expect(needsOf(patch, shown)).toEqual(expected);
    const shell = { command: ['bash', '-lc', `apply_patch <<'EOF'\n${patch}\nEOF`] };
    expect(needsOf(shell, shown)).toEqual(expected);
    const code = `const patch = ${JSON.stringify(patch)};\ntext(await tools.apply_patch(patch));`;
    expect(needsOf(code, shown)).toEqual(expected);
    expect(needsOf({ code: code.replace(/"\*.*"/, `\`${patch}\``) }, shown)).toEqual(expected);
  });

  it.each([
    ['old_str', { command: 'str_replace', path: 'a', old_str: 'one', new_str: '1' }],
    ['oldString', { filePath: 'a', oldString: 'one', newString: '1' }],
    ['old_string', { file_path: 'a', old_string: 'one', new_string: '1', expected: 1 }],
    ['a search block', { path: 'a', diff: '<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE' }],
  ])('is the text under %s', (_name, input) => {
    expect(needsOf(input, 'x\none\ny')).toEqual([['one']]);
  });

  const inShell = (command: string, ...results: string[]) =>
    createEvidenceMeter().needsOf(
      [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'e', name: 'Bash', input: { command } }],
        },
      ],
      results.map(result),
    );

  it('is the longest literal piece of what sed replaces in a file', () => {
    const shown = 'x\nconst limit = a.size(3);\ny';
    expect(inShell("sed -i 's/limit = a\\.size(3)/limit = 4/g' a.ts", shown)).toEqual([
      ['limit = a.size'],
    ]);
    expect(inShell("sed -i.bak -e 's|const .*;|let x;|' a.ts", shown)).toEqual([['const']]);
    expect(inShell("sed 's/const limit/let/' a.ts", shown)).toEqual([]);
  });

  it('is what a program replaces in a file that it writes', () => {
    const program =
      "p='a.py'\ns=open(p).read()\ns=s.replace('first line\\nsecond', 'x')\nopen(p,'w').write(s)";
    expect(inShell(`python3 - <<'EOF'\n${program}\nEOF`, 'first line\nsecond')).toEqual([
      ['first line', 'second'],
    ]);
  });

  it('is what a file that is written as a whole keeps of what was read of it', () => {
    const read: Message = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'r', name: 'Bash', input: { command: 'cat src/a.ts' } }],
    };
    const lines = ['const one = 1;', 'const two = 2;', 'const three = 3;'];
    const history = [read, result([...lines, 'const four = 4;'].join('\n'))];
    const meter = createEvidenceMeter();
    const overwrite = call({ file_path: '/work/src/a.ts', content: [...lines, 'new'].join('\n') });
    const write: Message = {
      ...overwrite,
      content: overwrite.content.map((block) => ({ ...block, name: 'Write' })),
    };
    expect(meter.needsOf([write], history)).toEqual([lines]);
    expect(inShell(`cat > src/a.ts <<'EOF'\n${lines.join('\n')}\nEOF`, lines.join('\n'))).toEqual(
      [],
    );
    expect(meter.needsOf([call({ file_path: '/work/src/a.ts', content: 'x' })], history)).toEqual(
      [],
    );
  });

  it('is what a model says it will replace, where the files were shown in what was said', () => {
    const say = (role: 'user' | 'assistant', text: string): Message => ({
      role,
      content: [{ type: 'text', text }],
    });
    const block = '```python\n<<<<<<< SEARCH\nold line\n=======\nnew line\n>>>>>>> REPLACE\n```';
    const edit = say('assistant', `I change a.py:\n\na.py\n${block}`);
    const meter = createEvidenceMeter();
    expect(meter.needsOf([edit], [say('user', 'a.py:\n  old line\n')])).toEqual([['old line']]);
    expect(meter.needsOf([edit], [say('user', 'a.py')])).toEqual([]);
  });

  it('is the lines of the numbers that an edit names, where they were shown last', () => {
    const first = '[File: /a.py (3 lines total)]\n1:def one():\n2:    return 1\n3:print(one())';
    const then = '[File: /b.py (3 lines total)]\n1:def two():\n2:    return 2\n3:print(two())';
    const bySign = 'edit 2:3\n    return 3\nend_of_edit';
    expect(inShell(bySign, first, then)).toEqual([['return 2', 'print(two())']]);
    expect(inShell(bySign, first, '1:x\n2:y')).toEqual([['return 1', 'print(one())']]);
    expect(needsOf({ start_line: 2, end_line: 2, replacement_text: 'x' }, first)).toEqual([
      ['return 1'],
    ]);
    expect(inShell('edit 4:4\nx\nend_of_edit', first)).toEqual([]);
    expect(inShell('edit 3:2\nx\nend_of_edit', first)).toEqual([]);
  });
});
