import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from './cursor.ts';

test('a cursor gives back the place that it was made of, in any script', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }));
  const value = fc.oneof(
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constant(null),
  );
  const place = fc.record({
    values: fc.array(value, { maxLength: 16 }),
    key: fc.array(text, { minLength: 1, maxLength: 16 }),
  });
  fc.assert(
    fc.property(place, (given) => {
      const cursor = encodeCursor(given);
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(JSON.stringify(decodeCursor(cursor))).toBe(JSON.stringify(given));
    }),
  );
});

test('a text that is no cursor is refused', () => {
  for (const text of ['', '!', 'e30', btoa('{"values":[],"key":[]}'), btoa('\u00ff')]) {
    expect(() => decodeCursor(text)).toThrow(/cursor/);
  }
});
