import { expect, test } from 'vitest';
import { readJsonPath } from './read-json-path.ts';

const value: unknown = JSON.parse(
  '{"a":[{"b":1},{"b":2},{"c":null}],"a key":{"x.y":3},"__proto__":{"p":4},"0":"zero"}',
);

test.each([
  ['$', [['$', value]]],
  ['', [['$', value]]],
  ['$.a[0].b', [['$.a[0].b', 1]]],
  ['a[1].b', [['$.a[1].b', 2]]],
  ['a[-1].c', [['$.a[2].c', null]]],
  [
    'a[*].b',
    [
      ['$.a[0].b', 1],
      ['$.a[1].b', 2],
    ],
  ],
  [
    'a.*.b',
    [
      ['$.a[0].b', 1],
      ['$.a[1].b', 2],
    ],
  ],
  ['["a key"]["x.y"]', [['$["a key"]["x.y"]', 3]]],
  ["['a key'].*", [['$["a key"]["x.y"]', 3]]],
  ['$[0]', [['$["0"]', 'zero']]],
  ['__proto__.p', [['$.__proto__.p', 4]]],
  ['a[9]', []],
  ['a[-4]', []],
  ['a.b', []],
  ['a.length', []],
  ['a[0].b.c', []],
  ['missing.x', []],
])('reads %j', (path, expected) => {
  const { matches, hasMore } = readJsonPath(value, path);
  expect(matches.map((match) => [match.path, match.value])).toEqual(expected);
  expect(hasMore).toBe(false);
});

test.each([
  'constructor',
  'toString',
  'constructor.prototype',
  '__proto__',
  'a.__proto__',
  'a.constructor',
])('never reaches a prototype through %j', (path) => {
  expect(readJsonPath({ a: {} }, path).matches).toEqual([]);
});

test('gives at most so many values and says that there are more', () => {
  const list = { rows: Array.from({ length: 50 }, (_, n) => ({ n, m: n })) };
  expect(readJsonPath(list, 'rows[*].n', { limit: 3 })).toEqual({
    matches: [0, 1, 2].map((n) => ({ path: `$.rows[${String(n)}].n`, value: n })),
    hasMore: true,
  });
  expect(readJsonPath(list, 'rows[*]', { limit: 50 }).hasMore).toBe(false);
  expect(readJsonPath(list, 'rows[*].*').matches).toHaveLength(100);
  expect(readJsonPath(list, 'rows[*].*', { limit: 3 }).matches).toHaveLength(3);
});

test.each([
  'a..b',
  'a[',
  'a[x]',
  'a]',
  '[""a]',
  '["\\x"]',
  '$.',
  "['a",
  'a["b]',
  'x'.repeat(1_001),
])('refuses %j', (path) => {
  expect(() => readJsonPath(value, path)).toThrow(
    expect.objectContaining({ code: 'CTX_INVALID_ADDRESS' }),
  );
});

test('comes to an end on a hostile path', () => {
  expect(() => readJsonPath(value, `["${'\\\\'.repeat(495)}`)).toThrow();
});
