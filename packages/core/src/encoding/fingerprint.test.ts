import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeValue } from './encode-value.ts';
import {
  fingerprint,
  fingerprintOfEncoded,
  fingerprintText,
  fingerprintWith,
} from './fingerprint.ts';

test('gives the SHA-256 that everybody else gives', () => {
  expect(fingerprintText('')).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  );
  expect(fingerprintText('Grüße 😀\0')).toBe(
    createHash('sha256').update('Grüße 😀\0', 'utf8').digest('hex'),
  );
  expect(fingerprint({ b: 1, a: [] })).toBe(fingerprintText('{"a":[],"b":1}'));
});

test('gives the same with and without the crypto of the host', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'binary-ascii' }),
    illFormed,
  );
  fc.assert(
    fc.property(text, (value) => {
      expect(fingerprintWith(undefined, value)).toBe(fingerprintText(value));
      expect(fingerprintWith({ createHash }, value)).toBe(fingerprintText(value));
    }),
  );
});

/** Strings with lone surrogates. */
const illFormed = fc
  .array(fc.constantFrom('\ud800', '\udc00', '\udfff', 'a', '\ufffd'))
  .map((parts) => parts.join(''));

test('never confuses lone surrogates with each other or with U+FFFD', () => {
  fc.assert(
    fc.property(illFormed, illFormed, (a, b) => {
      expect(fingerprintText(a) === fingerprintText(b)).toBe(a === b);
      expect(fingerprint([a]) === fingerprint([b])).toBe(a === b);
    }),
  );
});

test('does not hang on the order of keys but on their values', () => {
  expect(fingerprint({ a: 1, b: { c: 2, d: 3 } })).toBe(fingerprint({ b: { d: 3, c: 2 }, a: 1 }));
  expect(fingerprint({ a: 1 })).not.toBe(fingerprint({ a: '1' }));
});

test('is the same before and after encoding', () => {
  const value = { at: new Date(5), parts: new Map([['a', undefined]]) };
  expect(fingerprintOfEncoded(encodeValue(value))).toBe(fingerprint(value));
});

test('hashes bytes as the text that they are', () => {
  expect(fingerprintText(new TextEncoder().encode('Grüße'))).toBe(fingerprintText('Grüße'));
});
