import { expect, test } from 'vitest';
import { call, assistant, result, user } from '../../test-support/conversation.ts';
import { surveyHistory } from '../../reading/read-history.ts';
import { listedByFile } from './listed-lines.ts';
import { sourceBlocks } from './source-blocks.ts';

test('the lines of a search stand under their files, without path and number', () => {
  expect(
    listedByFile('src/a.ts:3:const a = 1;\nsrc/b-c.ts-4-  return a;\nsrc/a.ts-5-}\n2 files'),
  ).toEqual([
    { path: 'src/a.ts', text: 'const a = 1;\n}' },
    { path: 'src/b-c.ts', text: '  return a;' },
    { path: '', text: '2 files' },
  ]);
  expect(listedByFile('3:const a\n--\n9-const b\n10:const c')).toEqual([
    { path: '', text: 'const a\nconst b\nconst c' },
  ]);
});

test.each(['12:30 started\n12:31 ended', 'https://a.b:80:1', 'a.ts: 3 errors', 'plain'])(
  'what is no listing stays as it is: %j',
  (text) => {
    expect(listedByFile(text)).toEqual([{ path: '', text }]);
  },
);

function groupsOf(input: object): string[] {
  const history = surveyHistory([
    assistant(call('a', 'Read', { file_path: '/one/src/a.ts' })),
    user(result('a', 'x')),
    assistant(call('b', 'Bash', input)),
    user(result('b', './src/a.ts:3:const aa = 1;')),
  ]);
  return sourceBlocks(history)
    .filter(({ kind }) => kind === 'result')
    .map(({ group }) => group);
}

test('a listed file is known again where it lies below the folder that was searched, and nowhere else', () => {
  expect(groupsOf({ command: 'cd /one && grep -rn aa .' })[1]).toBe('/one/src/a.ts');
  for (const command of ['cd /two && grep -rn aa .', 'cd ../two && grep -rn aa .']) {
    expect(groupsOf({ command })[1]).toBe('src/a.ts');
  }
});
