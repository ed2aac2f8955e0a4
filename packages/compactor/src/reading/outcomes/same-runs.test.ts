import { expect, test } from 'vitest';
import { step, user } from '../../test-support/conversation.ts';
import { surveyHistory } from '../read-history.ts';
import { openErrors } from './open-errors.ts';

type Run = readonly [command: string, answer: string];

/** How many errors are left open by these calls of a shell, in turn. */
function leftBy(...runs: readonly Run[]): number {
  const calls = runs.map(([command, answer], at) => step(String(at), 'Bash', { command }, answer));
  return openErrors(surveyHistory([user('Go.'), ...calls.flat()])).length;
}

const redVitest =
  ' FAIL  src/a.test.ts > adds\nAssertionError: expected 1 to be 2\n Test Files  1 failed | 3 passed (4)\n      Tests  1 failed | 9 passed (10)';
const greenVitest = ' Test Files  1 passed (1)\n      Tests  2 passed (2)';
const twoRed = ` FAIL  src/b.test.ts > subtracts\n${redVitest.replace('1 failed | 3', '2 failed | 2')}`;
const echo = '> app@1.0.0 test\n> vitest run\n\n';
const redPytest =
  'FAILED tests/test_a.py::test_x - assert 1 == 2\n========= 1 failed, 4 passed in 0.12s =========';
const greenPytest = '========= 20 passed in 0.92s =========';

test.each([
  ['npm test', `${echo}${redVitest}`, 'npx vitest run src/a.test.ts', greenVitest],
  ['npm test', redVitest, 'npx vitest run src/a.test.ts', greenVitest],
  ['npm test', redVitest, 'pnpm exec vitest run ./src/a.test.ts --silent', greenVitest],
  ['npm test', redVitest, 'npx vitest run src', greenVitest],
  ['npm test', `${echo}${twoRed}`, 'npx vitest run', greenVitest],
  ['npx vitest run', twoRed, 'npm test', `${echo}${greenVitest}`],
  ['npm test', redVitest, 'pnpm test', greenVitest],
  ['npm run test', redVitest, 'yarn test', greenVitest],
  [
    'npm run lint',
    'Exit code 1\n✖ 3 problems (3 errors, 0 warnings)',
    'pnpm run lint',
    'exit code 0',
  ],
  ['npx tsc --noEmit', 'a.ts(1,1): error TS1005: no', 'pnpm exec tsc --noEmit', 'exit code 0'],
  [
    'timeout 180 go run ./cmd',
    'zsh: command not found: timeout',
    'go run ./cmd 2>/dev/null',
    'exit code 0',
  ],
  [
    'mise exec -- go test ./sem -run "A|B"',
    'FAIL\t./sem [setup failed]',
    'mise exec -- env GOCACHE=/tmp/c go test ./sem -run "A|B"',
    'ok  \ta/sem\t0.1s',
  ],
  ['npm run e2e', 'Exit code 1\n3 failed', 'time pnpm run e2e', 'exit code 0'],
  [
    'go build ./... | head',
    '# a/b/cmd/x\ncmd/x/main.go:9:4: cannot use y',
    'go test ./...',
    'ok  \ta/b\t0.1s\n?   \ta/b/cmd/x\t[no test files]',
  ],
  ['cd web && npm test', redVitest, 'cd web && pnpm test | tail -3', greenVitest],
  ['pytest tests/test_a.py', redPytest, 'python -m pytest', greenPytest],
  ['pytest tests/test_a.py::test_x -x', redPytest, 'uv run pytest tests', greenPytest],
  ['pytest', redPytest, 'python3 -m pytest tests/test_a.py -q', greenPytest],
  [
    'pytest a.py',
    'FAILED a.py::t - x\n=== 1 failed in 1s ===',
    'poetry run pytest a.py',
    greenPytest,
  ],
  [
    'npx jest',
    'FAIL src/a.test.js\nTest Suites: 1 failed, 2 total',
    'npx jest src/a.test.js',
    'Tests: 3 passed, 3 total',
  ],
])('%s, %j, is over once %s went well', (failed, red, mended, green) => {
  expect(leftBy([failed, red])).toBe(1);
  expect(leftBy([failed, red], [mended, green])).toBe(0);
});

test.each([
  ['npm test', redVitest, 'npx vitest run src/b.test.ts', greenVitest],
  ['npm test', twoRed, 'npx vitest run src/a.test.ts', greenVitest],
  ['npm test', redVitest, 'npx vitest run src/a.test.ts -t adds', greenVitest],
  ['npm test', redVitest, 'npx vitest run src/a.test.ts --project web', greenVitest],
  ['npm test', redVitest, 'npm run lint', '✖ 1 problem (0 errors, 1 warning)'],
  ['npm test', redVitest, 'npm run test:unit', greenVitest],
  ['npm test', redVitest, 'cd web && npx vitest run', greenVitest],
  ['cd api && npm test', redVitest, 'cd web && pnpm test', greenVitest],
  ['npm test', redVitest, 'npx jest', 'Tests: 3 passed, 3 total'],
  ['npm test', redVitest.slice(0, 40), 'npx vitest run src/a.test.ts', greenVitest],
  ['pytest a.py', redPytest.replaceAll('tests/test_a.py', 'a.py'), 'python -m pytest', greenPytest],
  ['pytest tests/test_a.py', redPytest, 'python -m pytest -k other', greenPytest],
  ['pytest tests/test_a.py', redPytest, 'python -m pytest tests/test_b.py', greenPytest],
  ['pytest tests/test_a.py', redPytest, 'python -m pytest', 'collected 20 items'],
  [
    'go build ./...',
    '# a/b/cmd/x\ncmd/x/main.go:9:4: cannot use y',
    'go test ./...',
    'ok  \ta/b\t0.1s',
  ],
  ['timeout 9 go run ./cmd', 'zsh: command not found: timeout', 'go run ./other', 'exit code 0'],
  ['npx mocha a.js', '1 failing', 'npx mocha', '9 passing'],
])('%s, %j, stays open after %s', (failed, red, other, green) => {
  expect(leftBy([failed, red], [other, green])).toBe(1);
});

test('a folder that was entered between two runs parts them', () => {
  const [failed, mended]: readonly Run[] = [
    ['pytest tests/test_a.py', redPytest],
    ['python -m pytest', greenPytest],
  ];
  expect(leftBy(failed ?? ['', ''], ['cd other', ''], mended ?? ['', ''])).toBe(1);
  expect(leftBy(failed ?? ['', ''], ['ls other', 'a'], mended ?? ['', ''])).toBe(0);
});
