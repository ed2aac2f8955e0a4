import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, canonicalJsonOfEncoded } from './canonical-json.ts';
import { encodeValue } from './encode-value.ts';

/** What `JSON.parse` may give, but for −0. */
const anyJson = fc.json().map((text): unknown => JSON.parse(text.replaceAll('-0', '0')));

/** The same value with the keys of every object turned round. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, child]) => [key, turned(child)]),
  );
}

test('sorts keys by code unit at every level and writes no white space', () => {
  const value = {
    b: [{ z: 1, a: 'x"\n' }],
    a: null,
    10: true,
    9: 0.5,
    '\uffff': 1,
    '\ud83d\ude00': 2,
  };
  expect(canonicalJson(value)).toBe(
    '{"10":true,"9":0.5,"a":null,"b":[{"a":"x\\"\\n","z":1}],"\ud83d\ude00":2,"\uffff":1}',
  );
});

test('writes empty containers and scalars', () => {
  expect([{}, [], [[], {}], 'a', 0, true, null].map((value) => canonicalJson(value))).toEqual([
    '{}',
    '[]',
    '[[],{}]',
    '"a"',
    '0',
    'true',
    'null',
  ]);
});

test('reads back as the value it was given, whatever the order of keys', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(value);
      expect(canonicalJson(turned(value))).toBe(text);
    }),
  );
});

test('tells apart what JSON.stringify confuses', () => {
  const values = [
    undefined,
    null,
    Number.NaN,
    0,
    -0,
    '1',
    1,
    1n,
    [],
    [undefined],
    {},
    new Map(),
    new Date(0),
  ];
  const texts = [
    ...values,
    { $ctx: 'undefined' },
    '1970-01-01T00:00:00.000Z',
    '\ud800',
    '\ufffd',
    '\\ud800',
  ];
  expect(new Set(texts.map((value) => canonicalJson(value))).size).toBe(texts.length);
});

test('does not encode again what is encoded', () => {
  expect(canonicalJsonOfEncoded(encodeValue(1n))).toBe(canonicalJson(1n));
});

test('gives one text for a deep value whatever the order of keys', () => {
  const deep = (first: string, second: string): unknown => {
    let value: unknown = {};
    for (let level = 0; level < 500; level += 1)
      value = { [first]: [first], [second]: [second, value] };
    return value;
  };
  expect(canonicalJson(deep('a', 'b'))).not.toBe(canonicalJson(deep('a', 'c')));
  const turnedDeep = (): unknown => {
    let value: unknown = {};
    for (let level = 0; level < 500; level += 1) value = { b: ['b', value], a: ['a'] };
    return value;
  };
  expect(canonicalJson(deep('a', 'b'))).toBe(canonicalJson(turnedDeep()));
});
