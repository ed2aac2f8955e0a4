import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeJson, decodeValue } from './decode-value.ts';
import { encodeValue } from './encode-value.ts';

test.each([
  [{ $ctx: 'future', value: 1 }],
  [{ $ctx: 3 }],
  [{ $ctx: 'constructor' }],
  [{ $ctx: '__proto__' }],
  [{ $ctx: 'number', value: '12' }],
  [{ $ctx: 'bigint', value: '' }],
  [{ $ctx: 'bigint', value: '-' }],
  [{ $ctx: 'bigint', value: '1.5' }],
  [{ $ctx: 'bigint', value: '9'.repeat(21) }],
  [{ $ctx: 'bigint', value: '0xzz' }],
  [{ $ctx: 'bigint', value: 3 }],
  [{ $ctx: 'date', value: 'tomorrow' }],
  [{ $ctx: 'date', value: 5 }],
  [{ $ctx: 'map', entries: [['a']] }],
  [{ $ctx: 'map', entries: ['ab'] }],
  [{ $ctx: 'map' }],
  [{ $ctx: 'set', values: {} }],
  [{ $ctx: 'array', length: -1, own: {} }],
  [{ $ctx: 'array', length: 1.5, own: {} }],
  [{ $ctx: 'array', length: 2 ** 32, own: {} }],
  [{ $ctx: 'array', length: 2, own: [] }],
  [{ $ctx: 'array', length: '2', own: {} }],
  [{ $ctx: 'error', own: [] }],
  [{ $ctx: 'bytes', type: 'Uint8Array', base64: '!' }],
  [{ $ctx: 'bytes', type: 'Uint16Array', base64: 'AQ==' }],
  [{ $ctx: 'bytes', type: 'toString', base64: 'AQ==' }],
  [{ $ctx: 'bytes', type: 'Uint8Array' }],
  [{ $ctx: 'bytes', base64: '' }],
  [{ $ctx: 'regexp', source: '(', flags: '' }],
  [{ $ctx: 'regexp', source: 'a', flags: 3 }],
  [{ $ctx: 'regexp', flags: '' }],
  [{ $ctx: 'url', href: 'not a url' }],
  [{ $ctx: 'url' }],
  [{ $ctx: 'object', value: [1] }],
  [{ $ctx: 'object' }],
  [{ $ctx: 'described', type: 'function', text: 'function x' }],
  [{ $ctx: 'table', nodes: [] }],
  [{ $ctx: 'table', nodes: [1] }],
  [{ $ctx: 'table', nodes: [[[7]]] }],
  [{ $ctx: 'table', nodes: [[['0']]] }],
  [{ $ctx: 'table', nodes: [[[]]] }],
  [{ $ctx: 'table', nodes: [[{}]] }],
  [{ $ctx: 'table', nodes: {} }],
  [{ lc: 1, type: 'constructor', id: ['a'] }],
])('keeps %j as data', (value) => {
  expect(decodeValue(value)).toStrictEqual(value);
});

test('decodes what lies inside a tag it does not know', () => {
  expect(decodeValue({ $ctx: 'future', value: { $ctx: 'undefined' } })).toStrictEqual({
    $ctx: 'future',
    value: undefined,
  });
});

test('reads a table only at the root', () => {
  const value = [{ $ctx: 'table', nodes: [[1]] }];
  expect(decodeValue(value)).toStrictEqual(value);
});

test('never throws and sets no prototype on any JSON', () => {
  const keys = fc.constantFrom(
    '$ctx',
    'value',
    'nodes',
    'own',
    'length',
    'entries',
    '__proto__',
    '0',
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      fc.constantFrom('map', 'table', 'object', 'array', 'error', 'bytes', null, 0, 1, 3, ''),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(keys, tie('tree'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      decodeValue(JSON.parse(JSON.stringify(value)));
      expect(Reflect.get({}, 'value')).toBeUndefined();
    }),
    { numRuns: 2_000 },
  );
});

test('does not make room for the holes that a hostile length claims', () => {
  const back = decodeValue({ $ctx: 'array', length: 2 ** 32 - 1, own: { 0: 'a', length: 7 } });
  expect(Array.isArray(back) && [back.length, back[0]]).toEqual([2 ** 32 - 1, 'a']);
});

test('gives out copies', () => {
  const stored = { list: [1] };
  const back = decodeValue(stored);
  stored.list.push(2);
  expect(back).toEqual({ list: [1] });
});

test('leaves what is no plain data alone', () => {
  const date = new Date(0);
  expect(decodeValue([date, undefined, 1n])).toStrictEqual([date, undefined, 1n]);
});

test('reads every number of bits of a bigint', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }), (value) => {
      expect(decodeValue(encodeValue(value))).toBe(value);
    }),
  );
});

test('a text is decoded as its value is, with tags and without', () => {
  fc.assert(
    fc.property(fc.anything({ withMap: true, withDate: true, withSparseArray: true }), (value) => {
      const text = JSON.stringify(encodeValue(value));
      expect(decodeJson(text)).toEqual(decodeValue(JSON.parse(text)));
    }),
  );
  const escaped = '{"\\u0024ctx":"date","value":"2026-01-31T00:00:00.000Z"}';
  expect(decodeJson(escaped)).toEqual(decodeValue(JSON.parse(escaped)));
  expect(JSON.stringify(decodeJson('{"__proto__":{"polluted":1}}'))).toContain('__proto__');
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});
