import fc from 'fast-check';
import { expect, test } from 'vitest';
import { vectorRecord } from './embedder.ts';
import { packedVectors, sizeOfValues } from './packed-vectors.ts';

const valuesOf = (numbers: readonly number[]): string =>
  vectorRecord('m', Float32Array.from(numbers)).values;

test('finds what a look at each vector finds, whatever was put and removed before', () => {
  const number = fc.integer({ min: -50, max: 50 });
  const step = fc.record({
    id: fc.integer({ min: 0, max: 30 }).map(String),
    vector: fc.option(fc.array(number, { minLength: 6, maxLength: 6 })),
  });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 80 }),
      fc.array(number, { minLength: 6, maxLength: 6 }),
      (steps, query) => {
        const packed = packedVectors(6);
        const plain = new Map<string, readonly number[]>();
        for (const { id, vector } of steps) {
          if (vector === null) {
            packed.remove(id);
            plain.delete(id);
          } else {
            packed.put(id, valuesOf(vector));
            plain.set(id, vector);
          }
        }
        const found = packed.closest(Float32Array.from(query), 100);
        const expected = [...plain].map(([id, vector]) => ({
          id,
          cosine: vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0),
        }));
        expect(packed.count()).toBe(plain.size);
        expect(new Map(found.map(({ id, cosine }) => [id, cosine]))).toEqual(
          new Map(expected.map(({ id, cosine }) => [id, cosine])),
        );
        expect(found.map(({ cosine }) => cosine)).toEqual(
          expected.map(({ cosine }) => cosine).sort((a, b) => b - a),
        );
      },
    ),
  );
});

test('the best of several blocks come first, also once the last block is gone', () => {
  const packed = packedVectors(2);
  for (let at = 0; at < 3000; at += 1) packed.put(String(at), valuesOf([at, 1]));
  const best = () => packed.closest(Float32Array.of(1, 0), 3).map(({ id }) => id);
  expect(best()).toEqual(['2999', '2998', '2997']);
  for (let at = 10; at < 3000; at += 1) packed.remove(String(at));
  expect(best()).toEqual(['9', '8', '7']);
});

test('the size is that of the numbers in the text', () => {
  expect([[], [1], [1, 2], [1, 2, 3]].map((one) => sizeOfValues(valuesOf(one)))).toEqual([
    ...[0, 1, 2, 3],
  ]);
});
