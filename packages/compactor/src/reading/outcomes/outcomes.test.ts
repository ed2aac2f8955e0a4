import { expect, test, vi } from 'vitest';
import type { HistoryCall } from '../history.ts';
import { type Outcome, outcomeOf, outcomeText } from './outcomes.ts';

function ran(command: string, result: string, others: Partial<HistoryCall> = {}): HistoryCall {
  const place = { id: 'c', toolName: 'Bash', messageIndex: 0, number: 0 };
  return { ...place, input: { command }, command, result, isError: false, ...others };
}

test.each<[string, string, Outcome]>([
  [
    'npx vitest run',
    ' Test Files  1 failed | 3 passed (4)\n      Tests  2 failed | 30 passed (32)',
    'failed',
  ],
  ['npx vitest run', ' Test Files  4 passed (4)\n      Tests  32 passed (32)', 'ok'],
  ['pnpm test | tail -3', '      Tests  1 failed | 9 passed (10)', 'failed'],
  ['npx jest', 'Tests:       1 failed, 4 passed, 5 total', 'failed'],
  ['npx jest', 'Test Suites: 2 passed, 2 total\nTests:       5 passed, 5 total', 'ok'],
  ['npx jest', 'FAIL src/login.test.ts', 'failed'],
  ['npx mocha', '  12 passing (40ms)\n  1 failing', 'failed'],
  ['npx mocha', '  12 passing (40ms)', 'ok'],
  ['pytest -q', '=== 1 failed, 3 passed in 0.12s ===', 'failed'],
  ['pytest -q', '4 passed in 0.12s', 'ok'],
  ['python3 run.py', 'Traceback (most recent call last):\n  File "run.py"', 'failed'],
  ['python -m unittest', 'Ran 3 tests in 0.001s\n\nOK', 'ok'],
  ['go test ./...', '--- FAIL: TestLogin (0.00s)\nFAIL\texample.com/a\t0.01s', 'failed'],
  ['go test ./...', 'ok  \texample.com/a\t0.012s', 'ok'],
  ['go build ./...', './main.go:12:3: undefined: foo', 'failed'],
  ['cargo test', 'test result: FAILED. 1 passed; 1 failed', 'failed'],
  ['cargo test', 'test result: ok. 2 passed; 0 failed', 'ok'],
  ['cargo build', 'error[E0425]: cannot find value `x`', 'failed'],
  ['cargo build', '    Finished dev [unoptimized] target(s) in 0.5s', 'ok'],
  ['make all', 'make: *** [Makefile:3: all] Error 2', 'failed'],
  ['make all', 'cc -o a a.c', 'unknown'],
  ['npx tsc --noEmit', "src/a.ts(1,2): error TS2304: Cannot find name 'x'.", 'failed'],
  ['npx tsc --noEmit', '', 'unknown'],
  ['mise run lint 2>&1 | tail', '[lint] $ golangci-lint run ./...\n0 issues.', 'ok'],
  ['golangci-lint run | tail', 'a.go:1:2: unused (unused)\n3 issues:\n* unused: 3', 'failed'],
  ['npx biome check . | tail', 'Checked 26 files in 55ms. No fixes applied.', 'ok'],
  [
    'npx biome check . | tail',
    'Checked 26 files in 55ms. No fixes applied.\nFound 2 errors.',
    'failed',
  ],
  ['ruff check . | cat', 'All checks passed!', 'ok'],
  ['npx eslint .', '✖ 3 problems (2 errors, 1 warning)', 'failed'],
  ['npx eslint .', '✖ 3 problems (0 errors, 3 warnings)', 'ok'],
  ['git push', ' ! [rejected]        main -> main (fetch first)', 'failed'],
  ['git merge x', 'CONFLICT (content): Merge conflict in a.ts', 'failed'],
  ['git commit -m x', '[main 1a2b3c4] x\n 1 file changed', 'ok'],
  ['git status', 'On branch main', 'unknown'],
  ['docker build .', 'ERROR: failed to solve: process "/bin/sh -c x" did not complete', 'failed'],
  ['docker build .', 'Successfully built 0123456789ab', 'ok'],
  ['npm install', 'npm ERR! code ERESOLVE', 'failed'],
  ['npm install', 'added 12 packages in 2s', 'ok'],
  ['pnpm install', ' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install', 'failed'],
  ['yarn build', 'error Command failed with exit code 1.', 'failed'],
  ['yarn build', 'Done in 1.20s.', 'ok'],
  ['frob', 'bash: line 1: frob: command not found', 'failed'],
  ['cat nothing', 'cat: nothing: No such file or directory', 'failed'],
  ['pytest', '=== 12 passed, 1 error in 0.30s ===', 'failed'],
  ['pytest', '12 passed, 2 warnings in 0.30s', 'ok'],
  ['npx vitest run', ' Test Files  3 passed (3)\n     Errors  1 error', 'failed'],
  ['npx vitest run', 'No test files found, exiting with code 1', 'failed'],
  [
    'npx jest',
    'Jest: "global" coverage threshold for lines (80%) not met: 70%\nTests: 5 passed, 5 total',
    'failed',
  ],
  ['node --test', '✖ adds (1.2ms)\nℹ pass 2\nℹ fail 1', 'failed'],
  ['node --test', '✔ adds (1.2ms)\nℹ pass 3\nℹ fail 0', 'ok'],
  ['npm test', 'TAP version 13\nnot ok 1 - adds\n# pass 2\n# fail 1', 'failed'],
  ['npx tap', 'ok 1 - adds\nnot ok 2 - later # TODO', 'unknown'],
  ['./gradlew build', 'BUILD FAILED in 3s', 'failed'],
  ['gradle build', 'BUILD SUCCESSFUL in 3s', 'ok'],
  ['mvn test', '[ERROR] Tests run: 3, Failures: 1\n[INFO] BUILD FAILURE', 'failed'],
  ['npm run build', '> vite build\n\n✗ Build failed in 1.2s\nerror during build:', 'failed'],
  ['vite build', '✓ built in 1.20s', 'ok'],
  ['yarn install', '➤ YN0001: │ Error: x\n➤ YN0000: · Failed with errors in 1s', 'failed'],
  [
    'docker run x',
    'docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock.',
    'failed',
  ],
  ['git show nothing', "fatal: ambiguous argument 'nothing': unknown revision", 'failed'],
  ['git diff', ' services:\n-    retries: 1\n+    retries: 2\n     error: page.html', 'unknown'],
  ['git log -3', 'commit 1\n\n    Fix a.ts: No such file or directory', 'unknown'],
  ['git -C lib log --oneline', '1a2b3c4 error: x\nfatal: y', 'unknown'],
  ['gh pr view 3', 'CI says: bash: foo: command not found', 'unknown'],
  ['npm test', 'stderr | GET /x: not found\n Tests  5 passed (5)', 'ok'],
  ['python3 dump.py', 'logger said y: not found', 'unknown'],
  ['ls -la .git/hooks/ 2>/dev/null || echo none', 'total 24', 'unknown'],
  ['sh run.sh', 'sh: 1: frob: not found', 'failed'],
  ['./run.sh', 'Killed', 'failed'],
  ['./run.sh', 'Killed 3 workers that idled', 'unknown'],
])('%s that prints %j is %s', (command, output, outcome) => {
  expect(outcomeOf(ran(command, output))).toBe(outcome);
});

test.each<[string, string, Outcome]>([
  ['npm test; node deploy.js', ' Tests  5 passed (5)\nno such host', 'unknown'],
  ['npm test && node deploy.js', ' Tests  5 passed (5)\nno such host', 'unknown'],
  ['node build.js; npm test', 'broken\n Tests  5 passed (5)', 'unknown'],
  ['npm ci && npm run build', 'added 12 packages in 3s\nodd', 'unknown'],
  ['git commit -m x && git push', '[main 1234567] x', 'unknown'],
  ['git commit -m "a; b" && git push', '[main 1234567] a\n1234567..89abcde main -> main', 'ok'],
  ['cd a && npm ci && npm test', 'added 12 packages in 3s\n Tests  5 passed (5)', 'ok'],
  ['npm ci; npm test', 'added 12 packages in 3s\n Tests  5 passed (5)', 'ok'],
  ['npm test; echo done', ' Tests  5 passed (5)\ndone', 'ok'],
  ['npm test || true', ' Tests  5 passed (5)', 'ok'],
  ['go build ./... && go test ./...', 'ok  \ta\t0.012s', 'ok'],
  ['go test ./...; go vet ./...', 'ok  \ta\t0.012s', 'unknown'],
  ["go test ./a -run 'TestA|TestB;C'", 'ok  \ta\t0.012s', 'ok'],
  ['go test ./a -run TestGone', 'ok  \ta\t0.012s [no tests to run]', 'unknown'],
  ["python - <<'E'\nprint(1); print(2)\nE", 'OK', 'ok'],
])('all that "%s" chains must show success: %j is %s', (command, output, outcome) => {
  expect(outcomeOf(ran(command, output))).toBe(outcome);
});

test.each<[string, string, Outcome]>([
  ['npm run build; echo done', 'odd\ndone', 'unknown'],
  ['npm run build || true', 'odd', 'unknown'],
  ['npm run build\necho done', 'odd\ndone', 'unknown'],
  ['node build.js && node deploy.js; date', 'odd', 'unknown'],
  ['npm test; echo done', ' Tests  5 passed (5)\ndone', 'ok'],
  ['cd a; npm run build', 'odd', 'ok'],
  ['cd a && node build.js && node deploy.js', 'odd', 'ok'],
  ['npm run build;', 'odd', 'ok'],
  ['npm run build # once', 'odd', 'ok'],
  ['npm ci; node deploy.js', 'added 12 packages in 3s\nodd', 'ok'],
  ['for one in a b; do node $one; done', 'odd', 'ok'],
  ['for one in a b; do npm test $one; done; date', 'odd', 'unknown'],
  ['cat a; grep -n x b', 'x', 'ok'],
  ['cd a; ls', 'b', 'ok'],
])('an exit code of 0 tells of "%s" what it can: with %j it is %s', (command, output, outcome) => {
  expect(outcomeOf(ran(command, output, { exitCode: 0 }))).toBe(outcome);
});

test('a loop is ok if its commands show it', () => {
  const command = 'for one in a b; do npm test $one; done';
  expect(outcomeOf(ran(command, ' Tests  5 passed (5)'))).toBe('ok');
  expect(outcomeOf(ran(command, 'odd'))).toBe('unknown');
});

test('a word of failure in what a command only shows says nothing of the command', () => {
  const log = 'FAIL src/a.test.ts\n      Tests  2 failed | 30 passed (32)\nerror: boom';
  for (const command of [
    'cat test.log',
    'grep -n FAIL out.txt | head -5',
    'cd x && sed -n 1,9p a',
  ]) {
    expect(outcomeOf(ran(command, log)), command).toBe('unknown');
  }
});

test('a failure in the output counts more than the exit code of the pipe', () => {
  expect(outcomeOf(ran('npm test | tail -5', 'Tests: 1 failed, 2 total', { exitCode: 0 }))).toBe(
    'failed',
  );
  expect(outcomeOf(ran('true', '', { exitCode: 0 }))).toBe('ok');
  expect(outcomeOf(ran('true', '', { exitCode: 3 }))).toBe('failed');
});

test('the exit code of a single command counts more than words in what it prints', () => {
  for (const [command, output] of [
    ['git diff', ' app:\n     error: page.html'],
    ['npm test', 'bash: foo: command not found\n Tests  1 failed (of an example)'],
    ['make test 2>&1', 'make: *** is what it prints on errors'],
  ] as const) {
    expect(outcomeOf(ran(command, output, { exitCode: 0 })), command).toBe('ok');
  }
  for (const command of [
    'npm test; true',
    'npm test || true',
    'npm test & wait',
    'npm test\ntrue',
  ]) {
    const output = ' Tests  1 failed | 3 passed (4)';
    expect(outcomeOf(ran(command, output, { exitCode: 0 })), command).toBe('failed');
  }
});

test('what is not shown is called so, and an exit code is told where it agrees', () => {
  expect(outcomeText(ran('ls', 'a b'))).toBe('(outcome not shown)');
  expect(outcomeText(ran('make', 'x', { exitCode: 0 }))).toBe('(exit 0)');
  expect(outcomeText(ran('make', 'x', { exitCode: 2 }))).toBe('(exit 2)');
  expect(outcomeText(ran('npm test | tail', ' 1 failing', { exitCode: 0 }))).toBe('(failed)');
  expect(outcomeText(ran('git push', '', { isError: true, refusal: 'not yet' }))).toBe(
    '(refused by the user)',
  );
});

test.each([
  ['as many commands as are looked at', Array.from({ length: 90 }, (_, at) => `npm run a${at}`)],
  ['thousands of commands', Array.from({ length: 20_000 }, () => 'npm test')],
  ['thousands of programs', Array.from({ length: 5000 }, (_, at) => `p${at}`)],
])('a chain of %s costs a few looks at each line', (_, commands) => {
  const looks = vi.spyOn(RegExp.prototype, 'test');
  try {
    outcomeOf(ran(commands.join('; '), 'line\n'.repeat(3000), { exitCode: 0 }));
    expect(looks.mock.calls.length).toBeLessThan(250_000);
  } finally {
    looks.mockRestore();
  }
});

test('of a chain of over a hundred commands nothing is told', () => {
  const chain = (length: number) => Array.from({ length }, () => 'npm test').join(' && ');
  const passed = 'Tests  1 passed (1)\n'.repeat(101);
  expect(outcomeOf(ran(chain(100), passed))).toBe('ok');
  expect(outcomeOf(ran(chain(101), passed))).toBe('unknown');
});
