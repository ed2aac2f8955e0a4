import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compressText } from './compress-text.ts';

const countTokens = (text: string): number => Math.ceil(text.length / 4);

/** How a runner prints a run: a test that passed, one that failed, and what follows at the end. */
interface Runner {
  readonly passed: (name: string, index: number) => string;
  /** Lines where the test stands; each has to be shown. */
  readonly failed: (name: string, at: number) => readonly string[];
  /** Lines at the end, of each failure; each has to be shown. */
  readonly detail?: (name: string, at: number) => readonly string[];
  readonly end: (failures: number) => string;
}

const runners: Readonly<Record<string, Runner>> = {
  TAP: {
    passed: (name, index) =>
      `# Subtest: ${name}\nok ${String(index)} - ${name}\n  ---\n  duration_ms: 0.${String(index)}\n  ...`,
    failed: (name, at) => [
      `not ok ${String(at)} - ${name}`,
      `  location: '/app/test/${name}.test.js:${String(at)}:1'`,
      `  error: 'no ${name}'`,
    ],
    end: (failures) => `# tests 400\n# fail ${String(failures)}`,
  },
  jest: {
    passed: (name, index) => `    ✓ ${name} ${String(index)} (2 ms)`,
    failed: (name, at) => [`    ✕ ${name} ${String(at)} (4 ms)`],
    detail: (name, at) => [
      `  ● ${name} ${String(at)}`,
      '    Expected: 401',
      `      at Object.toBe (src/${name}.test.ts:${String(at)}:27)`,
    ],
    end: (failures) => `Tests:       ${String(failures)} failed, 400 passed, 410 total`,
  },
  vitest: {
    passed: (name, index) => ` ✓ src/${name}.test.ts > ${name} ${String(index)} 3ms`,
    failed: (name, at) => [` × src/${name}.test.ts > ${name} ${String(at)} 3ms`],
    detail: (name, at) => [
      ` FAIL  src/${name}.test.ts > ${name} ${String(at)}`,
      'AssertionError: expected 3 to be 2',
      ` ❯ src/${name}.test.ts:${String(at)}:23`,
    ],
    end: (failures) => `      Tests  ${String(failures)} failed | 400 passed (410)`,
  },
  pytest: {
    passed: (name, index) => `tests/test_${name}.py::test_${String(index)} PASSED   [ 12%]`,
    failed: (name, at) => [`tests/test_${name}.py::test_${String(at)} FAILED   [ 12%]`],
    detail: (name, at) => [
      `>       assert ${name}() == 0`,
      'E       assert None == 0',
      `tests/test_${name}.py:${String(at)}: AssertionError`,
      `FAILED tests/test_${name}.py::test_${String(at)} - assert None == 0`,
    ],
    end: (failures) => `======== ${String(failures)} failed, 400 passed in 3.21s ========`,
  },
  'go test': {
    passed: (name, index) =>
      `=== RUN   Test${name}${String(index)}\n--- PASS: Test${name}${String(index)} (0.00s)`,
    failed: (name, at) => [
      `    ${name}_test.go:${String(at)}: got 200, want 401`,
      `--- FAIL: Test${name}${String(at)} (0.00s)`,
    ],
    end: () => 'FAIL\nFAIL\texample.com/shop\t0.051s',
  },
  cargo: {
    passed: (name, index) => `test ${name}::case_${String(index)} ... ok`,
    failed: (name, at) => [`test ${name}::case_${String(at)} ... FAILED`],
    detail: (name, at) => [
      `---- ${name}::case_${String(at)} stdout ----`,
      `thread '${name}::case_${String(at)}' panicked at src/${name}.rs:${String(at)}:9:`,
      '  left: -4',
      ' right: 0',
    ],
    end: (failures) => `test result: FAILED. 400 passed; ${String(failures)} failed; 0 ignored`,
  },
  mocha: {
    passed: (name, index) => `    ✔ ${name} ${String(index)} (12ms)`,
    failed: (name, at) => [`    ${String(at)}) ${name}`],
    detail: (name, at) => [
      `  ${String(at)}) ${name}`,
      'AssertionError [ERR_ASSERTION]: 8 !== 4',
      `      at Context.<anonymous> (test/${name}.spec.js:${String(at)}:14)`,
    ],
    end: (failures) => `  400 passing (2s)\n  ${String(failures)} failing`,
  },
  'JUnit in XML': {
    passed: (name, index) => `  <testcase name="${name} ${String(index)}" time="0.01"/>`,
    failed: (name, at) => [
      `  <testcase name="${name} ${String(at)}" time="0.01">`,
      `    <failure message="8 !== 4">at ${name}.spec.js:${String(at)}:14</failure>`,
      '  </testcase>',
    ],
    end: () => '</testsuite>',
  },
};

const name = fc.stringMatching(/^[a-z]{4,12}$/);
const places = fc.uniqueArray(fc.integer({ min: 1, max: 399 }), { minLength: 1, maxLength: 12 });

test.each(Object.keys(runners))(
  'of a report of %s every failure is shown with its file and line, wherever it stands, and the summary',
  (called) => {
    const runner = runners[called];
    if (runner === undefined) throw new TypeError(called);
    fc.assert(
      fc.property(name, places, (word, at) => {
        const special = new Set(at);
        const lines = Array.from({ length: 400 }, (_line, index) =>
          special.has(index) ? runner.failed(word, index).join('\n') : runner.passed(word, index),
        );
        const details = at.flatMap((index) => runner.detail?.(word, index) ?? []);
        const end = runner.end(at.length);
        const text = [...lines, '', ...details, '', end].join('\n');
        const { kind, compressed } = compressText({ text, tokens: countTokens(text), countTokens });
        expect(kind).toBe('test report');
        const shown = new Set(compressed?.shown.split('\n'));
        const failed = at.flatMap((index) => runner.failed(word, index));
        for (const line of [...failed, ...details, ...end.split('\n')])
          expect(shown).toContain(line);
      }),
      { numRuns: 60 },
    );
  },
);
