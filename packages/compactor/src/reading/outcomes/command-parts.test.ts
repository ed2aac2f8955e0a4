import { expect, test } from 'vitest';
import { commandParts, joinedLines } from './command-parts.ts';

test.each([
  ['cd a && CI=1 npm test 2>&1 | tail -5', ['cd a', 'npm test']],
  ['env A=b go test ./... > out.txt; echo "a && b | c"', ['go test ./...', 'echo "a && b | c"']],
  ["rg 'a;b' src || true\nmake", ["rg 'a;b' src", 'true', 'make']],
  ['   ', []],
])('%j chains %j', (command, parts) => {
  expect(commandParts(command)).toEqual(parts);
});

test.each([
  ['git diff a.ts\ngit status', 'git diff a.ts ; git status'],
  ['A=/tmp\n\nfor x in 1 2; do\n  echo $x\ndone', 'A=/tmp ; for x in 1 2; do echo $x ; done'],
  ['npm test \\\n  --watch', 'npm test --watch'],
  ['a |\n  b', 'a | b'],
  ['python -c "\nimport a\nb()"', 'python -c " import a b()"'],
  ['cat > a <<X\nb\nX', 'cat > a <<X b X'],
])('%j stands on one line as %j', (command, line) => {
  expect(joinedLines(command)).toBe(line);
});
