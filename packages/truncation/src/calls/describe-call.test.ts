import { expect, test } from 'vitest';
import { describeCall } from './describe-call.ts';

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

const inShell = (command: string, more: object = {}) =>
  of('exec_command', { cmd: command, ...more });

test.each([
  ['cat src/a.ts', 'src/a.ts', { first: 1, last: Infinity }],
  ["sed -n '10,40p' src/a.ts", 'src/a.ts', { first: 10, last: 40 }],
  ['sed -n 49,110p src/a.ts', 'src/a.ts', { first: 49, last: 110 }],
  ["nl -ba src/a.ts | sed -n '1,260p'", 'src/a.ts', { first: 1, last: 260 }],
  ['cat src/a.ts | tail -n +101 | head -50', 'src/a.ts', { first: 101, last: 150 }],
  ['head -n 30 src/a.ts', 'src/a.ts', { first: 1, last: 30 }],
  ['head -30 src/a.ts', 'src/a.ts', { first: 1, last: 30 }],
  ['tail -20 src/a.ts', 'src/a.ts', 'unknown'],
  ["awk 'NR>=200 && NR<=260' src/a.ts", 'src/a.ts', { first: 200, last: 260 }],
  ['awk \'NR==200,NR==260{print NR": "$0}\' src/a.ts', 'src/a.ts', { first: 200, last: 260 }],
  ['git show HEAD~1:src/a.ts', 'src/a.ts', 'unknown'],
  ['cd /srv/repo && cat src/a.ts', '/srv/repo/src/a.ts', { first: 1, last: Infinity }],
  ['bash -lc "sed -n \'1,9p\' src/a.ts"', 'src/a.ts', { first: 1, last: 9 }],
  ["python3 - <<'EOF'\nprint(open('src/a.ts').read()[100:900])\nEOF", 'src/a.ts', 'unknown'],
  [
    'powershell -Command "Get-Content src\\\\a.ts -TotalCount 40"',
    'src/a.ts',
    { first: 1, last: 40 },
  ],
  ['Get-Content -Path src/a.ts', 'src/a.ts', { first: 1, last: Infinity }],
  ['Get-Content src/a.ts -Tail 20', 'src/a.ts', 'unknown'],
  ['Get-Content src\\a.ts | Select-Object -First 20 -Skip 10', 'src/a.ts', { first: 11, last: 30 }],
  ['gc src/a.ts | select -First 5', 'src/a.ts', { first: 1, last: 5 }],
  ['type src\\a.ts', 'src/a.ts', { first: 1, last: Infinity }],
  ['cat -n src/a.ts', 'src/a.ts', { first: 1, last: Infinity }],
  ['cat -A src/a.ts | head -40', 'src/a.ts', { first: 1, last: 40 }],
  ['nl -b a src/a.ts', 'src/a.ts', { first: 1, last: Infinity }],
  ['bat -r 10:40 src/a.ts', 'src/a.ts', { first: 10, last: 40 }],
  ['bat --line-range=10: src/a.ts', 'src/a.ts', { first: 10, last: Infinity }],
  ['/usr/bin/sed -n 10,40p src/a.ts', 'src/a.ts', { first: 10, last: 40 }],
  ['gsed -n 10,40p src/a.ts', 'src/a.ts', { first: 10, last: 40 }],
  ['D=src; F="$D/a.ts"; sed -n 10,40p "$F"', 'src/a.ts', { first: 10, last: 40 }],
  ['ROOT=src; cat ${ROOT}/a.ts', 'src/a.ts', { first: 1, last: Infinity }],
  ["node -e \"console.log(require('fs').readFileSync('src/a.ts','utf8'))\"", 'src/a.ts', 'unknown'],
  ['ruby -e \'puts File.read("src/a.ts")\'', 'src/a.ts', 'unknown'],
])('%s is a read of its lines', (command, path, lines) => {
  expect(inShell(command)).toMatchObject({
    access: 'read',
    shows: 'file',
    shown: [{ path, lines }],
  });
});

test('a path of a command is relative to the folder that the call runs in', () => {
  const use = inShell("sed -n '1,9p' src/a.go", { workdir: '/work/repo' });
  expect(use?.shown).toEqual([{ path: '/work/repo/src/a.go', lines: { first: 1, last: 9 } }]);
});

test('several files of one command are all named', () => {
  const use = inShell(
    "sed -n '1,9p' a.go && echo --- && nl -ba b.go | sed -n '5,7p'; cat c.go d.go",
  );
  expect(use?.shown?.map(({ path }) => path)).toEqual(['a.go', 'b.go', 'c.go', 'd.go']);
});

test('the files of a loop are all named', () => {
  const use = inShell('for f in a.go lib/b.go; do echo "== $f"; sed -n 1,40p "lib/$f"; done');
  expect(use?.shown).toEqual([
    { path: 'lib/a.go', lines: { first: 1, last: 40 } },
    { path: 'lib/lib/b.go', lines: { first: 1, last: 40 } },
  ]);
});

test.each([
  ['gh pr diff 36', 'diff'],
  ['git stash show -p', 'diff'],
  ['diff -u a.ts b.ts', 'diff'],
  ['git grep -n limit -- src', 'search'],
  ['Select-String -Path src/a.ts -Pattern limit', 'search'],
  ["find src -name '*.ts' -exec cat {} +", 'file'],
  ['rg -l limit src | xargs cat', 'file'],
  ['ls src/*.ts | xargs -n 1 head -20', 'file'],
  ['git diff', 'diff'],
  ['git --no-pager diff HEAD~2 -- src/a.ts', 'diff'],
  ['git show abc123', 'diff'],
  ['git log -p -3', 'diff'],
  ["rg -n 'limit' src", 'search'],
  ["grep -rn 'limit' src/a.ts | head -40", 'search'],
  ['cat a.ts | grep limit', 'search'],
])('%s shows source as a %s', (command, shows) => {
  expect(inShell(command)).toMatchObject({ access: 'read', shows });
});

test.each([
  'npm test',
  'npm test && cat a.ts',
  'git diff --stat',
  'gh pr diff 36 --name-only',
  'git stash list',
  "find src -name '*.ts'",
  'ls | xargs rm',
  'type git',
  'git log --oneline',
  'rg -l limit src',
  'rg --files',
  'cat a.ts | wc -l',
  'cat a.ts > b.txt',
  'tail -100 server.log',
  'go test ./... | head -50',
  'echo "cat a.ts"',
  'git commit -m "cat a.ts"',
])('%s shows no source', (command) => {
  expect(inShell(command)).toBeUndefined();
});

test.each([
  ['Bash', { command: "sed -i 's/a/b/' src/a.ts" }, ['src/a.ts']],
  ['Bash', { command: "cat > src/a.ts <<'EOF'\nx\nEOF" }, ['src/a.ts']],
  ['Bash', { command: "python3 - <<'EOF'\nopen('a.py', 'w').write(x)\nEOF" }, ['a.py']],
  [
    'apply_patch',
    {
      input: '*** Begin Patch\n*** Update File: a.go\n@@\n-x\n*** Update File: b.go\n*** End Patch',
    },
    ['a.go', 'b.go'],
  ],
  ['apply_patch', '*** Begin Patch\n*** Add File: a.go\n+x\n*** End Patch', ['a.go']],
  [
    'shell',
    {
      command: [
        'bash',
        '-lc',
        "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a.go\n*** End Patch\nEOF",
      ],
    },
    ['a.go'],
  ],
])('%s of %j edits the files', (name, input, edited) => {
  expect(of(name, input)).toMatchObject({ access: 'edit', path: edited[0], edited });
});

test('code mode is seen through: what its commands show and its patches change', () => {
  const code = (cmd: string) =>
    `const r = await tools.exec_command({cmd: ${cmd}, "workdir":"/repo"}); text(r.output);`;
  const shown = [{ path: '/repo/a.go', lines: { first: 5, last: 9 } }];
  expect(of('exec', code(`"sed -n '5,9p' a.go"`))?.shown).toEqual(shown);
  expect(of('exec', code('`sed -n "5,9p" a.go`'))?.shown).toEqual(shown);
  expect(of('exec', { input: code("'cat \\'a b.go\\''") })?.path).toBe('/repo/a b.go');
  expect(of('exec', code('`cat ${name}`'))).toBeUndefined();
  const patch = JSON.stringify('*** Begin Patch\n*** Update File: a.go\n@@\n-x\n*** End Patch');
  expect(of('exec', `await tools.apply_patch(${patch})`)).toMatchObject({
    access: 'edit',
    path: 'a.go',
  });
});

test.each(['$(', '"', "'", '<<', 'cat <<EOF', 'a | | b', '\\', 'sed -n', 'cd', '>', 'cat a.ts >'])(
  'never throws: %s',
  (command) => {
    expect(() => inShell(command)).not.toThrow();
  },
);
