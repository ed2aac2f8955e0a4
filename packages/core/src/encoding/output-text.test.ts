import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeValue } from './decode-value.ts';
import { encodeValue } from './encode-value.ts';
import { jsonLine, outputText, outputTextOfEncoded } from './output-text.ts';

test('leaves a string as it is and shows nothing for undefined', () => {
  expect(outputText('a\n"b"')).toBe('a\n"b"');
  expect(outputText('')).toBe('');
  expect(outputText(undefined)).toBe('');
});

test('puts text blocks one below the other', () => {
  expect(
    outputText([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b', extra: 1 },
    ]),
  ).toBe('a\nb');
});

test.each([
  [[]],
  [[{ type: 'image', data: 'x' }]],
  [
    [
      { type: 'text', text: 'a' },
      { type: 'image', text: 'b' },
    ],
  ],
  [[{ type: 'text', text: 1 }]],
  [['text']],
  [[null]],
  [[['text']]],
  [{ type: 'text', text: 'a' }],
  [{ a: [1, null] }],
  [null],
  [3],
])('shows %j as JSON with two spaces', (value) => {
  expect(outputText(value)).toBe(JSON.stringify(value, null, 2));
});

class Row {
  id = 7;
  hidden = undefined;
}

const told: readonly unknown[] = [
  { a: 1, c: undefined },
  { at: new Date(0), list: [undefined, Number.NaN, new Map([['a', 1]]), new Set([1])] },
  { bytes: new Uint8Array([1, 2, 3]), buffer: Buffer.from('ab') },
  { run: () => 1, name: Symbol('s'), left: 1 },
  { row: new Row(), url: new URL('http://a.example/b') },
  [new Date(0)],
  { $ctx: 'object', value: { $ctx: 'map', entries: [] } },
  { $ctx: 'undefined' },
  { kept: { $ctx: 'described', type: 'function', text: 'function f', secret: 1 } },
  { kept: { $ctx: 'described', type: 'function', text: 'not a function' } },
  { kept: { $ctx: 'described', type: 'instance', value: { a: 1 }, other: 'lost?' } },
  { $ctx: 'described', value: { a: 1 }, other: 'lost?' },
];

test.each(told.map((value) => [value]))('shows %o as JSON.stringify does', (value) => {
  expect(outputText(value)).toBe(JSON.stringify(value, null, 2));
  expect(jsonLine(value)).toBe(JSON.stringify(value));
});

test('shows what JSON.stringify refuses or hides in words, without a tag of ours where it can', () => {
  expect(outputText({ n: 1n })).toBe(JSON.stringify({ n: '1' }, null, 2));
  expect(jsonLine({ e: new TypeError('no') })).toContain('"name":"TypeError","message":"no"');
  const cycle: Record<string, unknown> = { a: 1 };
  cycle['self'] = cycle;
  expect(outputText(cycle)).toContain('"a": 1');
});

test('never throws and is the same after storing', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withMap: true, withDate: true }), (value) => {
      const encoded = encodeValue(value);
      expect(outputTextOfEncoded(encoded)).toBe(outputText(value));
      expect(outputText(decodeValue(encoded))).toBe(outputText(value));
    }),
  );
});
