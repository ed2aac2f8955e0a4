import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compressFrom, decodeBody, encodeBody } from './record-body.ts';

test('a body comes back as it was, compressed or not', () => {
  const piece = fc.string({ unit: 'grapheme', minLength: 1 });
  fc.assert(
    fc.property(piece, fc.boolean(), (text, isLarge) => {
      const body = JSON.stringify(isLarge ? text.repeat(compressFrom / text.length + 1) : text);
      expect(decodeBody(encodeBody(body))).toBe(body);
    }),
    { numRuns: 60 },
  );
});

test('compresses from the limit on, where that is smaller', () => {
  expect(encodeBody('a'.repeat(compressFrom - 1))).toBeTypeOf('string');
  expect(encodeBody('a'.repeat(compressFrom))).toBeInstanceOf(Uint8Array);
});

test.for([undefined, null, 5, new Uint8Array([1, 2, 3])])('calls %s damage', (stored) => {
  expect(() => decodeBody(stored)).toThrow(expect.objectContaining({ code: 'CTX_STORE_CORRUPT' }));
});
