import { expect, test } from 'vitest';
import { describeCall } from './describe-call.ts';
import { editNeedsOf } from './edit-needs.ts';

const call = (name: string, input: unknown) =>
  ({ type: 'tool_use', id: 'a', name, input }) as const;

const diff = '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n-foobar\n+baz\n kept';

test.each([
  [
    `python3 <<'PY'\np='a.ts'\ns=open(p).read()\nold="""foobar\n"""\nnew='x'\ns=s.replace(old,new)\nopen(p,'w').write(s)\nPY`,
    ['foobar\n'],
  ],
  [
    `python3 -c "p='a.ts';s=open(p).read();s=s.replace('foobar()','x()');open(p,'w').write(s)"`,
    ['foobar()'],
  ],
  [
    "node <<'JS'\nlet s=fs.readFileSync('a.ts','utf8');s=s.replace(`foobar`,`x`);fs.writeFileSync('a.ts',s)\nJS",
    ['foobar'],
  ],
  ["perl -pi -e 's/foobar/baz/' a.ts", ['foobar']],
  ["perl -0pi -e 's/foobar/baz/' a.ts", ['foobar']],
  ["sed -i '/foobar line/d' a.ts", ['foobar line']],
  ["sed -i '/^import foobar/s/quux/qux/' a.ts", ['import foobar', 'quux']],
  ["sed -i 's/foobar/x/; s/quux/y/' a.ts", ['foobar', 'quux']],
  ['bash -lc "sed -i \'s/foobar/x/\' a.ts"', ['foobar']],
  [`git apply <<'EOF'\n${diff}\nEOF`, ['foobar\nkept']],
  [`patch -p1 <<'EOF'\n${diff}\nEOF`, ['foobar\nkept']],
  ["sed -i '10,20d' a.ts", []],
])('%s edits the file, and rests on %j', (command, oldTexts) => {
  const bash = call('Bash', { command });
  expect(describeCall(bash)).toMatchObject({ access: 'edit', edited: ['a.ts'] });
  expect(editNeedsOf(bash).oldTexts).toEqual(oldTexts);
});

test('what the editor tool creates is written as a whole', () => {
  const input = { command: 'create', path: 'a.ts', file_text: 'foobar' };
  const { overwrites } = editNeedsOf(call('str_replace_editor', input));
  expect(overwrites).toEqual([{ path: 'a.ts', text: 'foobar' }]);
});

test('the line of a block of Roo is no part of its text', () => {
  const text = '<<<<<<< SEARCH\n:start_line:3\n-------\nfoobar\n=======\nbaz\n>>>>>>> REPLACE';
  expect(editNeedsOf(call('apply_diff', { path: 'a.ts', diff: text })).oldTexts).toEqual([
    'foobar',
  ]);
});
