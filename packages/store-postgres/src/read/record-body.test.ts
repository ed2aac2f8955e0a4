import { isCtxError } from '@ctx/core';
import { expect, test } from 'vitest';
import { compressFrom, decodeBody, encodeBody } from './record-body.ts';

const unpacked = (packed: string | null): unknown => packed && Buffer.from(packed, 'base64');

test('a short body is kept as text, a long one compressed, and both come back', () => {
  const short = encodeBody('{"a":1}');
  expect(short).toEqual({ text: '{"a":1}', packed: null });
  const long = 'ä'.repeat(compressFrom);
  const { text, packed } = encodeBody(long);
  expect(text).toBeNull();
  expect(decodeBody(text, unpacked(packed))).toBe(long);
});

test('a body that ctx has not written is damage', () => {
  for (const packed of [null, new Uint8Array([1, 2, 3])]) {
    try {
      decodeBody(null, packed);
      expect.unreachable();
    } catch (error) {
      expect(isCtxError(error, 'CTX_STORE_CORRUPT')).toBe(true);
    }
  }
});
