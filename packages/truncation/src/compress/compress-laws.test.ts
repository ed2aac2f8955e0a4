import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compressText } from './compress-text.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

const countTokens = (text: string): number => Math.ceil(text.length / 4);
const judge = (text: string) => compressText({ text, tokens: countTokens(text), countTokens });

/** The places of a few lines among many, and what they say. */
const places = fc.uniqueArray(fc.nat(499), { minLength: 1, maxLength: 12 });
const word = fc.stringMatching(/^[a-z]{3,10}$/);

function withLines(
  usual: (index: number) => string,
  special: ReadonlyMap<number, string>,
): string[] {
  return Array.from({ length: 500 }, (_line, index) => special.get(index) ?? usual(index));
}

test('every row with a rare value is in the table, and no value is changed', () => {
  fc.assert(
    fc.property(places, word, fc.constantFrom('  ', ''), (at, rare, indent) => {
      const rows = Array.from({ length: 500 }, (_row, index) => ({
        id: index,
        state: at.includes(index) ? `rare ${rare}` : 'usual',
        size: index % 9,
      }));
      const shown = judge(JSON.stringify(rows, undefined, indent)).compressed?.shown ?? '';
      expect(shown).toContain('no JSON');
      for (const index of at) {
        expect(shown).toContain(
          `\n${String(index)} [${String(index)},"rare ${rare}",${String(index % 9)}]`,
        );
      }
    }),
    { numRuns: 100 * share },
  );
});

test('every ERROR of a log is shown with three lines around it', () => {
  fc.assert(
    fc.property(places, word, (at, name) => {
      const special = new Map(
        at.map((index) => [index, `2026-01-01 10:00:00 ERROR ${name} ${String(index)}`]),
      );
      const lines = withLines(
        (index) => `2026-01-01 10:00:00 INFO request ${String(index * 7)} of ${name} was served`,
        special,
      );
      const shown = new Set(judge(lines.join('\n')).compressed?.shown.split('\n'));
      for (const index of at) {
        const around = lines.slice(Math.max(0, index - 3), index + 4);
        for (const line of around) expect(shown).toContain(line);
      }
    }),
    { numRuns: 100 * share },
  );
});

test('no line of a log that names an id of an ERROR is left out', () => {
  fc.assert(
    fc.property(places, fc.integer({ min: 10_000, max: 99_999 }), (at, id) => {
      const special = new Map(
        at.map((index) => [
          index,
          `2026-01-01 10:00:00 INFO order ord-${String(id)} step ${String(index)}`,
        ]),
      );
      const lines = withLines(
        (index) => `2026-01-01 10:00:00 INFO order ord-${String(index)} done`,
        special,
      );
      lines.push(`2026-01-01 10:00:00 ERROR order ord-${String(id)} lost`);
      const shown = new Set(judge(lines.join('\n')).compressed?.shown.split('\n'));
      for (const line of special.values()) expect(shown).toContain(line);
    }),
    { numRuns: 100 * share },
  );
});

test('every failure of a report is shown with its file and line', () => {
  fc.assert(
    fc.property(places, word, (at, name) => {
      const failure = (index: number) =>
        `not ok ${String(index)} - ${name}\n  ---\n  location: src/${name}.ts:${String(index)}:3\n  error: no ${name}\n  ...`;
      const lines = withLines(
        (index) => `ok ${String(index)} - ${name} is fine\n  ---\n  duration_ms: 0.1\n  ...`,
        new Map(at.map((index) => [index, failure(index)])),
      );
      const shown = judge(`TAP version 13\n${lines.join('\n')}\n1..500`).compressed?.shown;
      for (const index of at) expect(shown).toContain(failure(index));
    }),
  );
});

test('every path and line of a list of matches is shown', () => {
  const path = fc.stringMatching(/^[a-z]{1,8}(\/[a-z]{1,8}){0,2}\.(ts|py)$/);
  const hit = fc.tuple(
    path,
    fc.integer({ min: 1, max: 9999 }),
    fc.stringMatching(/^[ -~]{60,120}$/),
  );
  fc.assert(
    fc.property(fc.array(hit, { minLength: 100, maxLength: 200 }), (hits) => {
      const text = hits.map(([file, line, rest]) => `${file}:${String(line)}:${rest}`).join('\n');
      const { kind, compressed } = judge(text);
      expect(kind).toBe('list of matches');
      if (compressed === undefined) return;
      const shown = new Set(
        compressed.shown.split('\n').map((line) => line.split(':', 2).join(':')),
      );
      for (const [file, line] of hits) expect(shown).toContain(`${file}:${String(line)}`);
    }),
    { numRuns: 100 * share },
  );
});

/** Texts of all kinds and none. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.constantFrom(
        '{"a":1}',
        '[',
        ']',
        'not ok 1 - x',
        'ok 2 - y',
        '@@ -1,3 +1,4 @@',
        '--- a/x',
        '+++ b/x',
        'src/a.ts:1:x',
        '2026-01-01 ERROR x',
        '\u001b[31mred\rover',
      ),
    ),
    { minLength: 1, maxLength: 60 },
  )
  .map((lines) => Array.from({ length: 20 }, () => lines.join('\n')).join('\n'));

test('what is shown is at least 30 % and 500 tokens smaller, the same each time, and no text is refused', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const first = judge(text);
      expect(judge(text)).toEqual(first);
      if (first.compressed === undefined) return;
      const tokens = countTokens(first.compressed.shown);
      expect(tokens).toBeLessThanOrEqual(countTokens(text) * 0.7);
      expect(tokens).toBeLessThanOrEqual(countTokens(text) - 500);
    }),
  );
});

test('a text is looked at once however long it is: its lines are read as often per line at 2,000 as at 40,000', () => {
  const readsPerLine = (count: number): number => {
    let calls = 0;
    const text = Array.from(
      { length: count },
      (_line, index) => `2026-01-01 ERROR at step${String(index)}\n    at f (x.ts:1:2)`,
    ).join('\n');
    compressText({
      text,
      tokens: countTokens(text),
      countTokens,
      isWorkWord: () => {
        calls += 1;
        return false;
      },
    });
    return calls / count;
  };
  expect(readsPerLine(40_000)).toBeLessThanOrEqual(readsPerLine(2000) * 1.05);
});

const cell = fc.oneof(
  fc.integer(),
  fc.string({ maxLength: 40 }),
  fc.constantFrom(null, true, 'ok', 'failed', 'x'.repeat(2000)),
);

test('what looks like JSON parses, or stands under a line that says that it is none', () => {
  const value = fc.oneof(
    fc.array(fc.record({ id: fc.nat(), state: cell, note: cell }), { minLength: 8, maxLength: 80 }),
    fc.dictionary(fc.string({ maxLength: 8 }), cell, { minKeys: 3, maxKeys: 40 }),
    fc.array(fc.array(cell, { maxLength: 6 }), { minLength: 5, maxLength: 60 }),
  );
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 2), (given, indent) => {
      const text = JSON.stringify([given, given, given], undefined, indent);
      const { compressed } = judge(text);
      if (compressed === undefined) return;
      const [first = ''] = compressed.shown.split('\n');
      if (first.startsWith('no JSON')) return;
      expect(() => JSON.parse(compressed.shown) as unknown).not.toThrow();
    }),
  );
});

test('no row that names an id of a row that speaks of trouble is left out', () => {
  fc.assert(
    fc.property(places, fc.integer({ min: 10_000, max: 99_999 }), (at, number) => {
      const id = `pay-${String(number)}`;
      const rows = Array.from({ length: 500 }, (_row, index) => ({
        at: 100 + index,
        pay: at.includes(index) ? id : `pay-${String(100_000 + index)}`,
        text: at.includes(index) ? `taken of ${id}` : `taken of cart ${String(index % 7)}`,
      }));
      rows.push({ at: 900, pay: 'none', text: `${id} failed` });
      const shown = judge(JSON.stringify(rows)).compressed?.shown ?? '';
      for (const index of at)
        expect(shown).toContain(`\n${String(index)} [${String(100 + index)},`);
    }),
    { numRuns: 100 * share },
  );
});

/** Names the object that a row keeps its state in, at any depth. */
const nesting = fc.array(fc.constantFrom('meta', 'status', 'spec'), { maxLength: 3 });

test('every row with a rare value is in the table, however deep the value lies', () => {
  fc.assert(
    fc.property(places, word, nesting, fc.boolean(), (at, rare, names, isListed) => {
      const stateOf = (index: number): unknown => {
        const state: unknown = at.includes(index) ? `rare ${rare}` : 'usual';
        const inner: unknown = isListed ? [{ state }] : { state };
        return names.reduce((value: unknown, name) => ({ [name]: value, n: index % 5 }), inner);
      };
      const rows = Array.from({ length: 500 }, (_row, id) => ({ id, about: stateOf(id) }));
      const shown = judge(JSON.stringify({ rows, next: null })).compressed?.shown ?? '';
      for (const index of at) expect(shown).toContain(`\n${String(index)} [${String(index)},`);
    }),
    { numRuns: 100 * share },
  );
});

test('no line of an access log with a rare status, or of a server that failed, is left out', () => {
  fc.assert(
    fc.property(places, fc.constantFrom(502, 500, 404, 301), word, (at, status, name) => {
      const lines = withLines(
        (index) => served(`/${name}/${String(index)}`, 200),
        new Map(at.slice(0, 3).map((index) => [index, served(`/rare/${String(index)}`, status)])),
      );
      const shown = new Set(judge(lines.join('\n')).compressed?.shown.split('\n'));
      for (const index of at.slice(0, 3)) expect(shown).toContain(lines[index]);
    }),
    { numRuns: 100 * share },
  );
});

function served(path: string, status: number): string {
  return `10.0.0.1 - - [28/Nov/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" ${String(status)} 512 "-" "curl/8"`;
}

test('of a linter every error is shown below its file and with three lines around it, however many warnings there are', () => {
  const warning =
    'is defined but never used, and may be removed without any change of what the program does';
  fc.assert(
    fc.property(places, word, (at, name) => {
      const special = new Map(
        at.map((index) => [index, `  ${String(index)}:9  error  '${name}' is not defined`]),
      );
      const lines = withLines(
        (index) =>
          index % 25 === 0
            ? `/repo/${name}/${String(index)}.ts`
            : `  ${String(index)}:7  warning  '${name}' ${warning}`,
        special,
      );
      lines[0] = '/repo/first.ts';
      const { kind, compressed } = judge(lines.join('\n'));
      expect(kind).toBe('log');
      const shown = new Set(compressed?.shown.split('\n'));
      for (const index of at) {
        const file = lines.slice(0, index + 1).findLast((line) => line.startsWith('/'));
        for (const line of [file, ...lines.slice(Math.max(0, index - 3), index + 4)])
          expect(shown).toContain(line);
      }
      expect(compressed?.left.join()).toContain(
        'that speak of trouble, for which there is no room',
      );
    }),
    { numRuns: 60 * share },
  );
});

test('of a build with Gradle the task that failed is shown with its reason', () => {
  const names = ['compileJava', 'processResources', 'classes', 'jar', 'test'];
  const tasks = names.flatMap((task) =>
    Array.from(
      { length: 80 },
      (_task, index) => `> Task :${'abcdefgh'[index % 8] ?? ''}:${task} UP-TO-DATE`,
    ),
  );
  const failure = ['> Task :pay:test FAILED', '', 'PayTest > refunds twice FAILED'];
  tasks.splice(222, 0, ...failure);
  const { kind, compressed } = judge(tasks.join('\n'));
  expect(kind).toBe('log');
  for (const line of failure) expect(compressed?.shown.split('\n')).toContain(line);
});

/** What compilers say of an error in a file, and of a warning: the first line, then the code. */
const compilers: Readonly<Record<string, (isError: boolean, at: number) => string[]>> = {
  'tsc with colours off': (isError, at) => [
    `src/part${String(at)}.ts:${String(at)}:7 - ${isError ? 'error' : 'warning'} TS2322: Type 'string' is not assignable to type 'number'.`,
    '',
    `${String(at)}   const value: number = name;`,
    '          ~~~~~',
    '',
  ],
  gcc: (isError, at) => [
    `src/part${String(at)}.c:${String(at)}:5: ${isError ? 'error: unknown type name' : 'warning: unused variable'} 'x${String(at)}'`,
    `  ${String(at)} |   x${String(at)} value;`,
    '      |   ^~',
  ],
  rustc: (isError, at) => [
    isError ? 'error[E0382]: borrow of moved value: `cfg`' : 'warning: unused variable: `x`',
    `  --> src/part${String(at)}.rs:${String(at)}:9`,
    '   |',
    `${String(at)} |     let x = 1;`,
    '   |         ^ help: prefix it with an underscore: `_x`',
    '   |',
    '',
  ],
  javac: (isError, at) => [
    `src/Part${String(at)}.java:${String(at)}: ${isError ? 'error: cannot find symbol' : 'warning: [deprecation] run() has been deprecated'}`,
    '    run();',
    '    ^',
  ],
};

test.each(Object.keys(compilers))(
  'of what %s says every error is shown with its place and its code, however many warnings there are',
  (called) => {
    fc.assert(
      fc.property(places, (at) => {
        const say = compilers[called] ?? (() => []);
        const lines = Array.from({ length: 500 }, (_error, index) =>
          say(at.includes(index), index),
        ).flat();
        const { kind, compressed } = judge(lines.join('\n'));
        expect(kind).toBe('log');
        const shown = compressed?.shown ?? '';
        for (const index of at) {
          const [first = '', ...code] = say(true, index).filter((line) => line.trim() !== '');
          expect(shown).toContain(
            [first, ...(called.startsWith('tsc') ? ['', ...code] : code.slice(0, 3))].join('\n'),
          );
        }
      }),
      { numRuns: 30 * share },
    );
  },
);
