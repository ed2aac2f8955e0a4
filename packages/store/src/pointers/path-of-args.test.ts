import { expect, test } from 'vitest';
import { pathOfArgs } from './path-of-args.ts';

test.each([
  [{ file_path: '/a/b.ts' }, '/a/b.ts'],
  [{ path: 'src/a.ts', content: 'x' }, 'src/a.ts'],
  [{ filePath: 'C:\\a b\\c.ts' }, 'C:\\a b\\c.ts'],
  [{ notebook_path: 'n.ipynb' }, 'n.ipynb'],
  [{ target_file: 't.ts', path: '.' }, 't.ts'],
  [{ filename: 'f' }, 'f'],
  [{ filepath: 'f' }, 'f'],
  [{ AbsolutePath: '/f', StartLine: 3 }, '/f'],
  [{ 'target-file': 'f' }, 'f'],
  [{ pathInProject: 'f' }, 'f'],
  [{ file_path: '', path: 'x' }, 'x'],
  [{ file_path: 3, path: 'x' }, 'x'],
  [{ command: 'cat src/a.ts' }, 'src/a.ts'],
  [{ command: "  sed -n '1,20p' src/a.ts | head" }, 'src/a.ts'],
  [{ command: 'sed -n 1,20p src/a.ts' }, 'src/a.ts'],
  [{ command: 's/a/b/' }, undefined],
  [{ command: 'sed s/a/b/ notes.txt' }, 'notes.txt'],
  [{ command: 'sed /a/d notes.txt' }, 'notes.txt'],
  [{ command: 'head -n 5 "README.md"; ls' }, 'README.md'],
  [{ command: 'cat -n -- ../x/y_1.test.ts' }, '../x/y_1.test.ts'],
  [{ command: 'cat | tee a.txt' }, undefined],
  [{ command: 'rm -rf /a.ts' }, undefined],
  [{ command: 'cat' }, undefined],
  [{ command: '' }, undefined],
  [{ cmd: 'tail log.txt' }, 'log.txt'],
  [{ command: ['cat', 'a.txt'] }, undefined],
  [{ path: 'a\nb' }, undefined],
  [{ path: 'x'.repeat(1_025) }, undefined],
  [{ query: 'src/a.ts' }, undefined],
  ['raw', undefined],
  [null, undefined],
  [undefined, undefined],
  [Object.create({ path: 'inherited' }), undefined],
])('finds in %j the path %j', (args, path) => {
  expect(pathOfArgs(args)).toBe(path);
});

test('never throws', () => {
  const hostile = {
    get path(): never {
      throw new Error('x');
    },
  };
  expect(pathOfArgs(hostile)).toBeUndefined();
});

test('looks at the beginning of a long command only', () => {
  expect(pathOfArgs({ command: `cat ${'a '.repeat(2_000)}b.txt` })).toBeUndefined();
  expect(pathOfArgs({ command: `cat ${'a/'.repeat(1_000_000)}` })).toBeUndefined();
});
