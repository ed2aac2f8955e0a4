import { expect, test } from 'vitest';
import { describeCall } from './describe-call.ts';

const of = (name: string, input: unknown) =>
  describeCall({ type: 'tool_use', id: 'a', name, input });
const shownBy = (command: string) => of('Bash', { command })?.shown;
const whole = { first: 1, last: Infinity };

test.each([
  ["sed -n '/^func Foo/,+40p' a.go", 'unknown'],
  ["sed -n '10,+30p' a.go", { first: 10, last: 40 }],
  ['sed -n "$S,40p" a.go', 'unknown'],
  ["sed -n '/x/,/y/p' src/mp3player.ts", 'unknown'],
  ["sed -n '1~2p' a.go", 'unknown'],
  ["sed -n '10,20!p' a.go", 'unknown'],
  ["sed -n '10,40p;20q' a.go", { first: 10, last: 20 }],
  ["sed -n -e '10,$p' a.go", { first: 10, last: Infinity }],
  ["sed '10,20p' a.go", 'unknown'],
  ["sed 's/^/  /' a.go", 'unknown'],
  ['sed 30q a.go', { first: 1, last: 30 }],
  ["sed '10,20!d' a.go", { first: 10, last: 20 }],
  ["sed '1,9d;20q' a.go", { first: 10, last: 20 }],
  ["sed '20,9!d' a.go", 'unknown'],
  ['head -c 8000 a.go', 'unknown'],
  ['head --bytes=80 a.go', 'unknown'],
  ['head -n -5 a.go', 'unknown'],
  ['head -n 1k a.go', 'unknown'],
  ['head -q -n 7 a.go', { first: 1, last: 7 }],
  ['tail -c +100 a.go', 'unknown'],
  ['tail -n +5 a.go', { first: 5, last: Infinity }],
  ["awk 'NR==5{f=1} f' a.go", 'unknown'],
  ["awk 'NR>10{exit} 1' a.go", 'unknown'],
  ["awk 'NR>=10 && NR<=40 && /foo/' a.go", 'unknown'],
  ["awk '/foo/ || NR<=3' a.go", 'unknown'],
  ["awk '{print $1}' NR==3.go", 'unknown'],
  ['awk \'FNR>9 && FNR<21 {printf "%d %s\\n", FNR, $0}\' a.go', { first: 10, last: 20 }],
  ["perl -ne 'print if /x/' a.go", 'unknown'],
  ["perl -ne 'print $1 if 10..20' a.go", 'unknown'],
  ['Get-Content a.go | Select-Object -Skip 9', { first: 10, last: Infinity }],
  ['Get-Content a.go | Select-Object -Skip 9 -Last 3', 'unknown'],
  ['batcat a.go', whole],
  ['tac a.go | head -5', 'unknown'],
  ['cat < a.go', whole],
  ['cat a.go | cut -c1-80', 'unknown'],
  ["cat a.go | tr -d '\\r'", 'unknown'],
  ['timeout 5 cat a.go', whole],
  ['timeout -s KILL 5 head -3 a.go', { first: 1, last: 3 }],
  ['sudo -u x cat a.go', whole],
  ['env -u HOME LANG=C nice -n 5 cat a.go', whole],
  ['docker exec -it -w /src box cat a.go', whole],
  ['docker exec box sh -c "head -4 a.go"', { first: 1, last: 4 }],
  ['kubectl exec -n web pod-1 -c app -- cat a.go', whole],
  ['ssh -p 22 host cat a.go', whole],
  ["ssh host 'head -4 a.go'", { first: 1, last: 4 }],
  ['cmd /c type a.go', whole],
  ['eval "cat a.go"', whole],
])('%s shows these lines of the file', (command, lines) => {
  const [file, ...others] = shownBy(command) ?? [];
  expect(others).toEqual([]);
  expect(file?.lines).toEqual(lines);
});

test.each([
  ['cat a.ts b.ts | sed -n 1,20p', ['a.ts unknown', 'b.ts unknown']],
  ['sed -n 1,20p a.ts b.ts', ['a.ts unknown', 'b.ts unknown']],
  ['cat a.ts src/*.ts | head -20', ['a.ts unknown']],
  ['head -20 a.ts b.ts', ['a.ts 1-20', 'b.ts 1-20']],
  ['(cd x && cat a.ts); cat b.ts', ['x/a.ts 1-Infinity', 'b.ts 1-Infinity']],
  ['(cd x; (cd y; cat a.ts); cat b.ts)', ['x/y/a.ts 1-Infinity', 'x/b.ts 1-Infinity']],
  ['(cd x; ls); (cat a.ts)', ['a.ts 1-Infinity']],
  ["sed -n '1,20p;40,50p' a.ts", ['a.ts 1-20', 'a.ts 40-50']],
  ["sed -n '1,20p; 40,50p; 7,9p' a.ts", ['a.ts 1-20', 'a.ts 40-50', 'a.ts 7-9']],
  ["sed -n '1,20p;40,50p' a.ts | head -5", ['a.ts unknown', 'a.ts unknown']],
  ["sed -n '1,20p;/x/p' a.ts", ['a.ts unknown']],
])('%s shows the files %j', (command, expected) => {
  const shown = shownBy(command) ?? [];
  const told = shown.map(({ path, lines }) =>
    lines === 'unknown'
      ? `${path} unknown`
      : `${path} ${String(lines.first)}-${String(lines.last)}`,
  );
  expect(told).toEqual(expected);
});

test.each([
  'cat src/*.ts',
  'cat "src/{a,b}.ts"',
  'head -50 src/*.ts',
  'for f in src/*.ts; do cat $f; done',
])('%s is a read of files that it does not name', (command) => {
  expect(of('Bash', { command })).toMatchObject({ access: 'read', path: '', shows: 'file' });
});

test.each([
  ...['git cat-file -t HEAD:a.ts', 'cat a.json | jq .c', "jq -n '{a:1}'"],
  ...['cat *.log', 'cat <<< "a.ts"', 'perl -e "print 1"', 'ssh host', 'docker ps'],
])('%s is no read', (command) => {
  expect(of('Bash', { command })).toBeUndefined();
});

test.each([
  'git -P diff',
  'git -c core.pager=cat -C x diff',
  'git --no-pager -c a=b show abc',
  'git log -L 10,20:a.go',
])('%s shows changes', (command) => {
  expect(of('Bash', { command })).toMatchObject({ access: 'read', shows: 'diff' });
});

test.each([
  ['read_file', { filePath: 'a.ts', startLine: 10, endLine: 40 }, { first: 10, last: 40 }],
  ['readFile', { filePath: 'a.ts', startLine: 10, endLine: 40 }, { first: 10, last: 40 }],
  [
    'read_file',
    { target_file: 'a.ts', start_line_one_indexed: 10, end_line_one_indexed_inclusive: 40 },
    { first: 10, last: 40 },
  ],
  ['read_file', { path: 'a.ts', from_row: 3 }, 'unknown'],
])('%s of %j shows these lines', (name, input, lines) => {
  expect(of(name, input)).toMatchObject({ access: 'read', shown: [{ path: 'a.ts', lines }] });
});

test.each([
  ['git cat-file -p HEAD:src/a.ts', 'file', ['src/a.ts']],
  ['git cat-file blob HEAD~2:src/a.ts | sed -n 1,20p', 'file', ['src/a.ts']],
  ['git show HEAD:src/a.ts HEAD:src/b.ts', 'file', ['src/a.ts', 'src/b.ts']],
  ['git show :src/a.ts', 'file', ['src/a.ts']],
  ['cat src/{a,b}/{x,y}.ts', 'file', ['src/a/x.ts', 'src/a/y.ts', 'src/b/x.ts', 'src/b/y.ts']],
  ['for f in src/{a,b}.ts; do cat $f; done', 'file', ['src/a.ts', 'src/b.ts']],
  ['grep -n foo {a,lib/b}.ts', 'search', ['a.ts', 'lib/b.ts']],
  ["jq -r '.a[] | .b' data/x.json", 'search', ['data/x.json']],
  ["jq -c --arg n foo '.[$n]' < x.json", 'search', ['x.json']],
  ['python -m json.tool package.json', 'search', ['package.json']],
  ["yq '.a' x.yaml", 'search', ['x.yaml']],
  ['python3 -c "import sys; sys.stdout.write(open(\'src/a.ts\').read())"', 'file', ['src/a.ts']],
  ['uv run python -c "print(open(\'src/a.py\').read())"', 'file', ['src/a.py']],
  ["node -p \"require('fs').readFileSync('src/a.ts', 'utf8')\"", 'file', ['src/a.ts']],
  ['deno eval "console.log(Deno.readTextFileSync(\'src/a.ts\'))"', 'file', ['src/a.ts']],
  ['Get-Content src/a.ts,src/b.ts', 'file', ['src/a.ts', 'src/b.ts']],
  ['cat src/a.ts | Out-String', 'file', ['src/a.ts']],
  ['findstr /n foo src\\a.ts', 'search', ['src/a.ts']],
] as const)('%s shows a %s of the files %j', (command, shows, paths) => {
  const use = of('Bash', { command });
  expect(use).toMatchObject({ access: 'read', shows });
  expect(use?.shown?.map(({ path }) => path)).toEqual(paths);
});
