import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyChecksum, columnsChecksum } from './record-seal.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme-ascii' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
);
const value = fc.oneof(
  fc.constant(null),
  text,
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const columns = fc.dictionary(fc.stringMatching(/^[a-z_]{1,12}$/), value, { maxKeys: 20 });

test('the checksum of columns is the CRC-32 of their JSON, in the order of their names and without those that are null', () => {
  fc.assert(
    fc.property(columns, fc.stringMatching(/^[a-z]{1,3}$/), (given, collection) => {
      const names = Object.keys(given).toSorted((left, right) => (left < right ? -1 : 1));
      const kept = names.flatMap((name) => {
        const value = given[name] ?? null;
        return value === null ? [] : [[name, value]];
      });
      expect(columnsChecksum({ collection, columns: given })).toBe(crc32(JSON.stringify(kept)));
    }),
    { numRuns: 400 },
  );
});

test('the checksum of a body is that of its place and itself, whichever place came before', () => {
  const key = fc.array(fc.oneof(fc.constantFrom('a', 'b'), text), { minLength: 1, maxLength: 3 });
  const place = fc.record({ collection: fc.constantFrom('items', 'outputs'), key, body: text });
  fc.assert(
    fc.property(fc.array(place, { maxLength: 8 }), (places) => {
      for (const { collection, key, body } of places) {
        const whole = JSON.stringify([collection, ...key]) + body;
        expect(bodyChecksum({ collection, key }, body)).toBe(crc32(whole));
      }
    }),
    { numRuns: 200 },
  );
});
