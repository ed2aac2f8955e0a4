import { goJson, goTest } from './go-reports.ts';
import { midst, type Sample, sentence, times } from './sample.ts';

const jest: Sample = {
  name: 'jest, verbose',
  text: midst(
    times(240, (index) =>
      index % 12 === 0
        ? `PASS src/part${String(index)}/part${String(index)}.test.ts (5.${String(index)} s)`
        : `    ✓ ${sentence(index)} (${String(index % 9)} ms)`,
    ),
    'FAIL src/login/login.test.ts',
    '  login',
    '    ✕ rejects a wrong password (14 ms)',
    '',
    '  ● login › rejects a wrong password',
    '',
    '    expect(received).toBe(expected) // Object.is equality',
    '',
    '    Expected: 401',
    '    Received: 200',
    '',
    "      12 |   const response = await login('me', 'wrong');",
    '    > 13 |   expect(response.status).toBe(401);',
    '         |                           ^',
    '      14 | });',
    '',
    '      at Object.toBe (src/login/login.test.ts:13:27)',
    '',
  ).concat(
    'Test Suites: 1 failed, 20 passed, 21 total\nTests:       1 failed, 220 passed, 221 total\nTime:        8.1 s\n',
  ),
  keys: [
    'FAIL src/login/login.test.ts',
    '● login › rejects a wrong password',
    'Expected: 401',
    'Received: 200',
    'src/login/login.test.ts:13:27',
    'Tests:       1 failed, 220 passed, 221 total',
  ],
};

const vitest: Sample = {
  name: 'vitest, verbose',
  text: midst(
    times(
      260,
      (index) =>
        ` ✓ src/part${String(index % 20)}.test.ts > ${sentence(index)} ${String(index % 7)}ms`,
    ),
    ' × src/queue.test.ts > drops what is too old 12ms',
    '   → expected 3 to be 2 // Object.is equality',
  ).concat(
    `
⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  src/queue.test.ts > drops what is too old
AssertionError: expected 3 to be 2 // Object.is equality

- Expected
+ Received

- 2
+ 3

 ❯ src/queue.test.ts:41:23
     39|   queue.push(late);
     40|   queue.drop(10);
     41|   expect(queue.size).toBe(2);
       |                       ^

 Test Files  1 failed | 19 passed (20)
      Tests  1 failed | 260 passed (261)
   Duration  4.31s
`,
  ),
  keys: [
    ' FAIL  src/queue.test.ts > drops what is too old',
    'AssertionError: expected 3 to be 2',
    'src/queue.test.ts:41:23',
    'Tests  1 failed | 260 passed (261)',
  ],
};

const tap: Sample = {
  name: 'TAP of node:test',
  text: `TAP version 13\n${midst(
    times(200, (index) =>
      [
        `# Subtest: ${sentence(index)}`,
        `ok ${String(index + 1)} - ${sentence(index)}`,
        '  ---',
        `  duration_ms: 0.${String(100 + index)}`,
        "  type: 'test'",
        '  ...',
      ].join('\n'),
    ),
    '# Subtest: refunds twice',
    'not ok 201 - refunds twice',
    '  ---',
    '  duration_ms: 1.2',
    "  location: '/app/test/refund.test.js:17:1'",
    "  failureType: 'testCodeFailure'",
    "  error: 'the second refund was taken'",
    "  code: 'ERR_ASSERTION'",
    '  ...',
  )}1..201\n# tests 201\n# pass 200\n# fail 1\n`,
  keys: [
    'not ok 201 - refunds twice',
    '/app/test/refund.test.js:17:1',
    'the second refund was taken',
    '# fail 1',
  ],
};

const pytest: Sample = {
  name: 'pytest -v',
  text: `============================= test session starts ==============================
platform linux -- Python 3.12.1, pytest-8.0.0
collected 241 items

${midst(
  times(
    240,
    (index) =>
      `tests/test_part${String(index % 12)}.py::TestPart::test_${sentence(index).replaceAll(' ', '_')} PASSED [ ${String(Math.floor(index / 2.4))}%]`,
  ),
  'tests/test_cart.py::test_total_of_an_empty_cart FAILED                   [ 50%]',
)}
=================================== FAILURES ===================================
_________________________ test_total_of_an_empty_cart __________________________

    def test_total_of_an_empty_cart():
        cart = Cart()
>       assert cart.total() == 0
E       assert None == 0
E        +  where None = total()

tests/test_cart.py:22: AssertionError
----------------------------- Captured stdout call -----------------------------
cart 881 has no lines
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_total_of_an_empty_cart - assert None == 0
======================== 1 failed, 240 passed in 3.21s =========================
`,
  keys: [
    'E       assert None == 0',
    'tests/test_cart.py:22: AssertionError',
    'cart 881 has no lines',
    'FAILED tests/test_cart.py::test_total_of_an_empty_cart - assert None == 0',
    '1 failed, 240 passed in 3.21s',
  ],
};

const cargo: Sample = {
  name: 'cargo test',
  text: `running 261 tests
${midst(
  times(
    260,
    (index) => `test part${String(index % 9)}::${sentence(index).replaceAll(' ', '_')} ... ok`,
  ),
  'test wallet::tests::spends_more_than_it_has ... FAILED',
)}
failures:

---- wallet::tests::spends_more_than_it_has stdout ----

thread 'wallet::tests::spends_more_than_it_has' panicked at src/wallet.rs:88:9:
assertion \`left == right\` failed
  left: -4
 right: 0
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace


failures:
    wallet::tests::spends_more_than_it_has

test result: FAILED. 260 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.31s

error: test failed, to rerun pass \`--lib\`
`,
  keys: [
    'test wallet::tests::spends_more_than_it_has ... FAILED',
    'panicked at src/wallet.rs:88:9',
    '  left: -4',
    ' right: 0',
    'test result: FAILED. 260 passed; 1 failed',
  ],
};

const mocha: Sample = {
  name: 'mocha',
  text: `\n\n${midst(
    times(240, (index) =>
      index % 12 === 0
        ? `  Part ${String(index / 12)}`
        : `    ✔ ${sentence(index)}${index % 5 === 0 ? ` (${String(index)}ms)` : ''}`,
    ),
    '  Wallet',
    '    1) pays nothing twice',
  )}

  220 passing (2s)
  1 failing

  1) Wallet
       pays nothing twice:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

8 !== 4

      + expected - actual

      -8
      +4

      at Context.<anonymous> (test/wallet.spec.js:51:14)
      at process.processImmediate (node:internal/timers:483:21)
`,
  keys: [
    '1) pays nothing twice',
    '1 failing',
    'Expected values to be strictly equal',
    '8 !== 4',
    'test/wallet.spec.js:51:14',
  ],
};

/** Reports of the usual runners, each with one failure among hundreds of passing tests. */
export const testReports: readonly Sample[] = [
  jest,
  vitest,
  tap,
  pytest,
  goTest,
  goJson,
  cargo,
  mocha,
];
