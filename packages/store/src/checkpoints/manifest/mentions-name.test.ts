import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mayName } from './mentions-name.ts';

const names = fc.uniqueArray(
  fc.oneof(fc.stringMatching(/^[\w.:-]{1,6}$/), fc.string({ unit: 'binary', maxLength: 6 })),
  { minLength: 1, maxLength: 12 },
);

/** As some stores write it: every sign but the plainest as an escape. */
function escaped(text: string): string {
  const signs = text.split('').map((sign) => {
    return /[\w.:-]/.test(sign) ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `"${signs.join('')}"`;
}

it('never passes over a name that the text holds, however that was written', () => {
  fc.assert(
    fc.property(names, names, (held, asked) => {
      const ids = new Set(asked);
      const isNamed = held.some((name) => ids.has(name));
      for (const body of [JSON.stringify({ id: held }), `{"id":[${held.map(escaped).join()}]}`]) {
        expect((JSON.parse(body) as { id: unknown }).id).toEqual(held);
        if (isNamed) expect(mayName(body, ids)).toBe(true);
      }
    }),
  );
});

it('passes over a text that holds none of a few plain names', () => {
  const body = JSON.stringify({ id: ['one', 'two more'], session: [[0, 'a-b']] });
  expect(mayName(body, new Set(['on', 'two', 'a', 'b-b']))).toBe(false);
  expect(mayName(body, new Set())).toBe(false);
  expect(mayName(body, new Set(['a-b', 'x']))).toBe(true);
});
