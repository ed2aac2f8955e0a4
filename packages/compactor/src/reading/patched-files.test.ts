import { expect, test } from 'vitest';
import { assistant, call, result, user } from '../test-support/conversation.ts';
import { touchedFiles } from './files.ts';
import { patchedFiles } from './patched-files.ts';
import { surveyHistory } from './read-history.ts';

const patch = [
  '*** Begin Patch',
  ...['*** Update File: src/a.ts', '@@ class A', '-old', '+new a', ' same'],
  ...['*** Delete File: src/gone.ts', '*** Add File: src/b.ts', '+first', '+', '+last'],
  ...['*** Update File: src/c.ts', '*** Move to: src/d.ts', '+moved', '*** End Patch'],
].join('\n');

test('the added lines of a patch belong to the file that gets them', () => {
  expect(patchedFiles(patch)).toEqual([
    { path: 'src/a.ts', lines: ['new a'] },
    { path: 'src/b.ts', lines: ['first', '', 'last'] },
    { path: 'src/d.ts', lines: ['moved'] },
  ]);
  expect(patchedFiles({ input: patch })).toHaveLength(3);
  expect(patchedFiles({ command: 'cat', input: 'text' })).toEqual([]);
});

test('all files of a patch count as changed, and none of one that did not apply', () => {
  const historyOf = (answer: string) =>
    surveyHistory([assistant(call('a', 'apply_patch', patch)), user(result('a', answer))]);
  const changed = historyOf('Exit code: 0\nWall time: 0.1 seconds\nOutput:\nSuccess.');
  expect(changed.calls[0]).toMatchObject({ path: 'src/a.ts', exitCode: 0, result: 'Success.' });
  expect(touchedFiles(changed).filter(({ wasChanged }) => wasChanged)).toHaveLength(3);
  expect(touchedFiles(historyOf('apply_patch verification failed: no such lines'))).toEqual([]);
});
