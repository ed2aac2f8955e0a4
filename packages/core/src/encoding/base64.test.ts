import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBase64, toBase64 } from './base64.ts';

test('writes the base64 that the standard gives', () => {
  const bytes = new TextEncoder().encode('foobar');
  expect(['', 'f', 'fo', 'foo'].map((_, index) => toBase64(bytes.subarray(0, index)))).toEqual([
    '',
    'Zg==',
    'Zm8=',
    'Zm9v',
  ]);
});

test('writes and reads the same with and without a Buffer', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const text = toBase64(bytes, {});
      expect(text).toBe(toBase64(bytes));
      expect(fromBase64(text)).toEqual(bytes);
      expect(fromBase64(text, {})).toEqual(bytes);
    }),
  );
});

test('writes more bytes than a call takes arguments, without a Buffer', () => {
  const bytes = new Uint8Array(200_001).fill(65);
  expect(fromBase64(toBase64(bytes, {}), {})).toEqual(bytes);
});

test('writes only the bytes that a view looks at', () => {
  const bytes = new Uint8Array([1, 2, 3, 4, 5]).subarray(1, 4);
  expect(toBase64(bytes)).toBe('AgME');
});

test('refuses what is no base64, with and without a Buffer', () => {
  for (const text of ['A', 'AAA', '!!!!', 'AA=A', 'Zm9v\n', '====']) {
    expect(fromBase64(text)).toBeUndefined();
    expect(fromBase64(text, {})).toBeUndefined();
  }
});
