import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyPlain, isPlainData } from './copy-plain.ts';
import { encodeValue } from './encode-value.ts';

describe('copyPlain', () => {
  it('gives what the general way gives, or nothing', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withSparseArray: true,
      }),
      fc.dictionary(fc.constantFrom('$ctx', 'a', '__proto__', 'toString'), fc.jsonValue()),
    );
    fc.assert(
      fc.property(value, (original) => {
        const copy = copyPlain(original);
        expect(isPlainData(original)).toBe(copy !== undefined);
        // A limit of values makes `encodeValue` take the general way.
        const encoded = encodeValue(original, { maxValues: 10_000_000 });
        if (copy !== undefined) {
          expect(copy).toEqual(encoded);
          expect(JSON.stringify(copy)).toBe(JSON.stringify(encoded));
        }
      }),
    );
  });

  it('copies common JSON data, and shares nothing with it', () => {
    const list = [1, 'two', { three: [null, true] }];
    const copy = copyPlain(list);
    list.push(4);
    expect(copy).toEqual([1, 'two', { three: [null, true] }]);
  });

  it.each([
    ['what looks like a tag', { $ctx: 'bytes' }],
    ['a number JSON has no form for', [Number.NaN]],
    ['a negative zero', [-0]],
    ['undefined', { a: undefined }],
    // eslint-disable-next-line no-sparse-arrays -- the hole is the case
    ['a hole', [1, , 3]],
    ['a list with more than places', Object.assign([1], { more: 2 })],
    ['an instance', { at: new Date(0) }],
    ['a text that fills the budget', ['x'.repeat(2_000_000)]],
    ['many values', Array.from({ length: 20_000 }, () => 1)],
  ])('leaves %s to the general way', (_name, value) => {
    expect(copyPlain(value)).toBeUndefined();
    expect(isPlainData(value)).toBe(false);
  });

  it('leaves what leads back to itself, is deep, or throws', () => {
    const ring: unknown[] = [];
    ring.push(ring);
    let deep: unknown = 1;
    for (let depth = 0; depth < 300; depth += 1) deep = [deep];
    const thrower = {
      get a(): never {
        throw new Error('no');
      },
    };
    expect([ring, deep, thrower].map((value) => copyPlain(value))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('ends soon where one list is shared many times', () => {
    let shared: unknown = 'x';
    for (let level = 0; level < 60; level += 1) shared = [shared, shared];
    expect(copyPlain(shared)).toBeUndefined();
  });
});
