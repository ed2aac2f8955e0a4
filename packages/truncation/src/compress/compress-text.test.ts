import { expect, test } from 'vitest';
import { compressText } from './compress-text.ts';

const countTokens = (text: string): number => Math.ceil(text.length / 4);

function compress(text: string, words: readonly string[] = []) {
  const isWorkWord = (word: string): boolean => words.includes(word);
  return compressText({ text, tokens: countTokens(text), countTokens, isWorkWord });
}

function shown(text: string, words: readonly string[] = []): string {
  return compress(text, words).compressed?.shown ?? '';
}

function times(count: number, line: (index: number) => string): string[] {
  return Array.from({ length: count }, (_item, index) => line(index));
}

test('of rows in JSON all that differ are shown, as they stand, under a line that says it is no JSON', () => {
  const rows = times(200, (index) => {
    const status = index % 17 === 3 ? 'failed' : 'ok';
    const big = index === 120 ? '12345678901234567890' : `100000000000000000${String(100 + index)}`;
    return `{"id": ${big}, "status": "${status}", "ms": 1.0, "note": ${index === 77 ? '"odd"' : 'null'}}`;
  });
  const { kind, compressed } = compress(`[\n${rows.join(',\n')}\n]`);
  expect(kind).toBe('JSON rows');
  const text = compressed?.shown ?? '';
  expect(text.split('\n')[0]).toContain('no JSON, but a table: 200 rows of $');
  expect(text.match(/"failed"/g)).toHaveLength(12);
  expect(text).toContain('77 [100000000000000000177,"ok",1.0,"odd"]');
  expect(text).toContain('120 [12345678901234567890,"ok",1.0,null]');
  expect(compressed?.left.join()).toMatch(/\d+ rows that are like others/);
});

test('rows inside an answer of an API are found, and what stands around them is shown as JSON', () => {
  const items = Array.from({ length: 100 }, (_item, id) => ({
    id,
    state: 'open',
    extra: { a: [1, 2] },
  }));
  const text = shown(JSON.stringify({ data: { items, total: 100 }, next: 'abc' }, undefined, 2));
  expect(text).toContain('100 rows of $["data"]["items"]');
  expect(text).toContain('around it: {"data":{"items":[],"total":100},"next":"abc"}');
});

test('a row that differs in an object or a list of its own is shown', () => {
  const pods = Array.from({ length: 200 }, (_pod, index) => ({
    metadata: { name: `pod-${String(index)}`, labels: { app: 'web' } },
    status: {
      phase: index === 57 ? 'CrashLoopBackOff' : 'Running',
      conditions: [{ ready: index !== 58 }],
    },
  }));
  const text = shown(JSON.stringify({ kind: 'List', items: pods }));
  expect(text).toMatch(/^57 .*CrashLoopBackOff/m);
  expect(text).toMatch(/^58 .*"ready":false/m);
  const results = Array.from({ length: 200 }, (_result, id) => ({
    id,
    result: { ok: id !== 9, error: id === 9 ? 'disk full' : null },
  }));
  expect(shown(JSON.stringify(results))).toMatch(/^9 .*disk full/m);
});

test('what rg prints as JSON is its list of matches', () => {
  const matches = times(300, (index) =>
    JSON.stringify({
      type: 'match',
      data: {
        path: { text: `src/f${String(index)}.ts` },
        lines: { text: `  const needle = ${String(index)}\n` },
        line_number: index + 1,
        submatches: [{ match: { text: 'needle' }, start: 8, end: 14 }],
      },
    }),
  );
  const { kind, compressed } = compress(['{"type":"begin","data":{}}', ...matches].join('\n'));
  expect(kind).toBe('list of matches');
  const lines = compressed?.shown.split('\n') ?? [];
  expect(lines[0]).toBe('src/f0.ts:1:  const needle = 0');
  for (const index of [3, 150, 299]) {
    const place = `src/f${String(index)}.ts:${String(index + 1)}`;
    expect(lines.some((line) => line.startsWith(place))).toBe(true);
  }
});

test('a compiler’s list of errors is a list of places', () => {
  const errors = times(
    400,
    (index) =>
      `src/f${String(index)}.ts(${String(index + 1)},5): error TS2345: Argument of type 'string' is not assignable to parameter of type 'number'.`,
  );
  const lines = shown(errors.join('\n')).split('\n');
  for (const index of [0, 77, 399]) {
    const place = `src/f${String(index)}.ts(${String(index + 1)},5)`;
    expect(lines.some((line) => line.startsWith(place))).toBe(true);
  }
});

test.each([1, 3])('with %i lines around each match every place of a list is shown', (around) => {
  const texts = times(200, (file) => {
    const path = `src/dir/file${String(file)}.ts`;
    const beside = (from: number) =>
      times(around, (at) => `${path}-${String(from + at)}-  a line around`);
    const own = `${path}:${String(around + 1)}:  matched needle ${String(file)}`;
    return [...beside(1), own, ...beside(around + 2)].join('\n');
  });
  const { kind, compressed } = compress(texts.join('\n--\n'));
  expect(kind).toBe('list of matches');
  for (const file of [0, 100, 199]) {
    expect(compressed?.shown).toContain(`src/dir/file${String(file)}.ts:${String(around + 1)}`);
  }
  const log = times(300, (at) => `2026-03-01-12- INFO request ${String(at)} of src/a.ts`);
  expect(
    compress([...log, ...times(40, (at) => `src/a.ts:${String(at)}: noted`)].join('\n')).kind,
  ).not.toBe('list of matches');
});

test('lines of JSON are a table, too', () => {
  const lines = times(300, (index) =>
    JSON.stringify({ at: index, level: index === 150 ? 'fatal' : 'info' }),
  );
  expect(shown(lines.join('\n'))).toContain('150 [150,"fatal"]');
});

test('of a log every line that speaks of trouble is shown with three lines around and the lines that name its id', () => {
  const lines = times(900, (index) => {
    const at = `2026-03-01T10:${String(Math.floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}Z`;
    if (index === 450) return `${at} ERROR payment req-77ab41 failed`;
    if (index === 100) return `${at} INFO accepted req-77ab41`;
    return `${at} INFO served request ${String(index * 7919)} in ${String(index % 40)} ms`;
  });
  lines.splice(451, 0, '    at pay (src/pay.ts:12:3)', '    at run (src/run.ts:9:1)');
  const { kind, compressed } = compress(lines.join('\n'));
  expect(kind).toBe('log');
  for (const index of [447, 448, 449, 450, 451, 452, 453, 100]) {
    expect(compressed?.shown).toContain(lines[index]);
  }
  expect(compressed?.tokens).toBeLessThan(1000);
});

const passing = {
  tap: (index: number) =>
    `ok ${String(index + 1)} - adds ${String(index)} and keeps the order of its parts`,
  vitest: (index: number) => ` ✓ src/parts/part-${String(index)}.test.ts (12 tests) 41ms`,
  pytest: (index: number) =>
    `tests/test_part.py::test_case_${String(index)} PASSED           [ 12%]`,
  go: (index: number) =>
    `=== RUN   TestPart${String(index)}\n--- PASS: TestPart${String(index)} (0.00s)`,
  cargo: (index: number) => `test parts::part_${String(index)}::keeps_the_order ... ok`,
};
const failing = {
  tap: 'not ok 300 - adds nothing\n  ---\n  at: src/add.test.ts:12:3\n  expected: 1\n  ...\n# tests 301',
  vitest:
    ' FAIL  src/login3.test.ts > logs in\nAssertionError: expected 1 to be 2\n ❯ src/login3.test.ts:14:9\n Tests  1 failed | 300 passed (301)\n Test Files  1 failed',
  pytest:
    '=== FAILURES ===\n___ test_login ___\n>   assert 1 == 2\nE   assert 1 == 2\ntests/test_login.py:14: AssertionError\n=== 1 failed, 300 passed in 3.1s ===',
  go: '--- FAIL: TestLogin (0.00s)\n    login_test.go:14: got 1, want 2\nFAIL\nFAIL\texample.com/login\t0.1s\n# end',
  cargo:
    'test login::fails ... FAILED\n---- login::fails stdout ----\nthread panicked at src/login.rs:14:5\ntest result: FAILED. 300 passed; 1 failed\n# end',
};

test.each(Object.keys(passing) as (keyof typeof passing)[])(
  'of a report of %s every line of a failure stays, and those of passing tests are counted',
  (runner) => {
    const lines = [...times(150, passing[runner]), failing[runner], ...times(150, passing[runner])];
    const { kind, compressed } = compress(lines.join('\n'));
    expect(kind).toBe('test report');
    expect(compressed?.shown).toContain(failing[runner]);
    expect(compressed?.left.join()).toMatch(/\d{3} lines of tests that passed/);
    expect(compressed?.tokens).toBeLessThan(1000);
  },
);

test('of a list of matches every path and line is shown, and the text of those that hold words of the work', () => {
  const lines = times(
    400,
    (index) =>
      `src/rooms/room-${String(index % 30)}/file.ts:${String(index + 1)}:  const value = compute${index === 300 ? 'Payment' : 'Total'}(input, options, ${String(index)});`,
  );
  const { kind, compressed } = compress(lines.join('\n'), ['computePayment']);
  expect(kind).toBe('list of matches');
  const found = new Set(compressed?.shown.split('\n').map((line) => line.split(':', 2).join(':')));
  for (const line of lines) expect(found).toContain(line.split(':', 2).join(':'));
  expect(compressed?.shown).toContain(lines[300]);
  expect(compressed?.left.join()).toContain('the text of 359 matches of 400');
});

test('matches below the name of their file are shown with it', () => {
  const files = times(40, (file) =>
    [
      `src/part-${String(file)}.ts`,
      ...times(
        10,
        (line) =>
          `${String(line + 1)}:const someLongName = otherLongName(${String(line)}, options)`,
      ),
      '',
    ].join('\n'),
  );
  expect(shown(files.join('\n')).split('\n')).toContain('src/part-39.ts:10');
});

test('a long list of paths becomes folders with counts, and the paths with words of the task', () => {
  const lines = times(
    800,
    (index) => `packages/part-${String(index % 20)}/src/file${String(index)}.ts`,
  );
  lines[555] = 'packages/part-3/src/paymentForm.ts';
  const text = shown(lines.join('\n'), ['paymentForm']);
  expect(text).toContain('packages/part-3/src/paymentForm.ts');
  expect(text).toContain('packages/part-7/src/ 40 paths');
  expect(compress(lines.slice(0, 150).join('\n'))).toEqual({ kind: 'list of paths' });
});

test('of a large diff every file is counted, hunks are whole, and a lock file has no hunk', () => {
  const fileDiff = (file: string, lines: number): string =>
    [
      `diff --git a/${file} b/${file}`,
      `--- a/${file}`,
      `+++ b/${file}`,
      `@@ -1,1 +1,${String(lines + 1)} @@`,
      ' const a = 1;',
      ...times(lines, (line) => `+const line${String(line)} = compute(${String(line)});`),
    ].join('\n');
  const files = ['pnpm-lock.yaml', ...times(12, (index) => `src/part${String(index)}.ts`)];
  const text = shown(files.map((file) => fileDiff(file, 40)).join('\n'), ['part9']);
  for (const file of files) expect(text).toContain(`${file} +40 -0`);
  expect(text).toContain('pnpm-lock.yaml +40 -0 (1 hunk left out)');
  expect(text).toContain('+++ b/src/part9.ts');
  const hunks = text.split('@@ -1,1 +1,41 @@').slice(1);
  expect(hunks.length).toBeGreaterThan(0);
  for (const hunk of hunks) expect(hunk.match(/^\+const /gm)).toHaveLength(40);
});

test('what a terminal overwrites is left out, and nothing else', () => {
  const bar = times(2000, (index) => `\u001b[32mloading ${String(index)}/2000\u001b[0m`).join('\r');
  const { kind, compressed } = compress(`start\n${bar}\ndone`);
  expect(kind).toBe('terminal output');
  expect(compressed?.shown).toBe('start\nloading 1999/2000\ndone');
});

test('of base64 and minified lines the beginning, the length and the hash are shown', () => {
  const text = shown(`image:\n${'iVBORw0KGgo'.repeat(1000)}\nend`);
  expect(text).toMatch(
    /^image:\niVBORw0KGgo[A-Za-z0-9]{53}… \[11000 characters in this line, sha256 [0-9a-f]{12}\]\nend$/,
  );
});

test('prose and code are no kind that a compressor knows', () => {
  const code = times(
    400,
    (index) => `  const name${String(index)} = call(${String(index)}); // why it is so`,
  );
  expect(compress(code.join('\n'))).toEqual({});
});

test('a list that cannot be shortened enough is known, and is not shortened', () => {
  const lines = times(300, (index) => `src/some/where/file${String(index)}.ts:${String(index)}:x`);
  expect(compress(lines.join('\n'))).toEqual({ kind: 'list of matches' });
});

test('of JSON with a long string the string is shortened, and the rest still parses', () => {
  const given = { name: 'logo', data: 'iVBORw0KGgo'.repeat(1000), size: [1, 2], 'a "b"': '\\' };
  const { kind, compressed } = compress(JSON.stringify(given, undefined, 2));
  expect(kind).toBe('JSON');
  const parsed = JSON.parse(compressed?.shown ?? '') as typeof given;
  expect({ ...parsed, data: '' }).toEqual({ ...given, data: '' });
  expect(parsed.data).toContain('[10936 more characters]');
});

test('of what a build says hundreds of times the error is shown, with the colours gone', () => {
  const lines = times(
    400,
    (index) =>
      `\u001b[32m✔\u001b[39m compiled \u001b[36msrc/part${String(index)}.ts\u001b[39m in ${String(index % 90)} ms`,
  );
  lines.splice(
    200,
    0,
    '\u001b[31msrc/login.ts:12:5\u001b[39m - error TS2322: a string is no number',
  );
  const { kind, compressed } = compress(lines.join('\n'));
  expect(kind).toBe('log');
  expect(compressed?.shown).toContain(
    '\nsrc/login.ts:12:5 - error TS2322: a string is no number\n',
  );
  expect(compressed?.tokens).toBeLessThan(800);
});

test('tables of numbers without heads are like lines, and code is no kind, however alike its lines are', () => {
  const table = times(400, (index) => `total of day ${String(index)}, ${String(index * 3)}, paid`);
  const code = times(
    400,
    (index) => `expect(part${String(index)}.size).toBe(${String(index)}); // it is so`,
  );
  expect(compress(table.join('\n')).kind).toBe('like lines');
  expect(compress(code.join('\n'))).toEqual({});
});
