import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compressFrom, decodeBody, decodeSealed, encodeSealed } from './record-body.ts';

const place = { collection: 'papers', key: ['t', 'p'], version: 1 };
const record = { ...place, columns: { rank: -0, kind: null, title: 'a' } };
function expectDamage(read: () => unknown): void {
  expect(read).toThrow(expect.objectContaining({ code: 'CTX_STORE_CORRUPT' }));
}

function bodyOf(text: string, isLarge: boolean): string {
  return JSON.stringify(isLarge ? text.repeat(compressFrom / text.length + 1) : text);
}

const piece = fc.string({ unit: 'grapheme', minLength: 1 });

test('a body comes back as it was, compressed or not, with a checksum that fits', () => {
  fc.assert(
    fc.property(piece, fc.boolean(), (text, isLarge) => {
      const body = bodyOf(text, isLarge);
      const stored = encodeSealed(record, body);
      expect(decodeSealed(record, stored)).toEqual({ body, isSealed: true });
      if (typeof stored === 'string') expect(JSON.parse(stored)).toBe(JSON.parse(body));
    }),
    { numRuns: 60 },
  );
});

test('any flipped bit is damage, in the body as in its checksum', () => {
  fc.assert(
    fc.property(piece, fc.boolean(), fc.nat(), fc.nat(7), (text, isLarge, at, bit) => {
      const stored = encodeSealed(record, bodyOf(text, isLarge));
      const bytes = Buffer.from(stored);
      const place = at % bytes.length;
      // The header of gzip says when and where it was made, which no text depends on.
      if (typeof stored !== 'string' && place >= 4 && place < 10) return;
      bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
      const damaged = typeof stored === 'string' ? bytes.toString('utf8') : bytes;
      expectDamage(() => decodeBody(record, damaged));
    }),
    { numRuns: 400 },
  );
});

test('a body in the place of another record, or beside other columns, is damage', () => {
  const stored = encodeSealed(record, '{"a":1}');
  for (const other of [
    { ...record, collection: 'books' },
    { ...record, key: ['t', 'q'] },
    { ...record, columns: { ...record.columns, title: 'b' } },
  ])
    expectDamage(() => decodeBody(other, stored));
  // Columns change without the body: from the second version on they have no checksum.
  expect(decodeBody({ ...record, version: 2, columns: { title: 'b' } }, stored)).toBe('{"a":1}');
});

test('a body of an older ctx is read, and told to have no checksum', () => {
  const large = JSON.stringify('b'.repeat(compressFrom));
  for (const [stored, body] of [
    ['{"a":1}', '{"a":1}'],
    [gzipSync(large), large],
  ] as const)
    expect(decodeSealed(record, stored)).toEqual({ body, isSealed: false });
});

test('compresses from the limit on, where that is smaller', () => {
  expect(encodeSealed(record, 'a'.repeat(compressFrom - 1))).toBeTypeOf('string');
  expect(encodeSealed(record, 'a'.repeat(compressFrom))).toBeInstanceOf(Uint8Array);
});

test.for([undefined, null, 5, new Uint8Array([1, 2, 3])])('calls %s damage', (stored) => {
  expectDamage(() => decodeBody(record, stored));
});
