import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elementsOf, membersOf, sliceOf, valueIn } from './json-spans.ts';

const blanks = fc.constantFrom(0, 1, 2, '\t');

describe('where values stand in a JSON text', () => {
  it('is found for any object, however it is written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), blanks, (object, indent) => {
        const text = ` ${JSON.stringify(object, undefined, indent)}`;
        const found = membersOf(text, valueIn(text));
        const values = [...found].map(([name, span]): unknown => [
          name,
          JSON.parse(sliceOf(text, span)),
        ]);
        expect(values).toEqual(Object.entries(JSON.parse(text) as object));
      }),
    );
  });

  it('is found for any list', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), blanks, (list, indent) => {
        const text = JSON.stringify(list, undefined, indent);
        const found = elementsOf(text, valueIn(text)).map((span) => sliceOf(text, span));
        expect(found.map((value): unknown => JSON.parse(value))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('is not looked for where a name comes twice: two readers may take different values', () => {
    expect(() => membersOf('{"a":1,"\\u0061":2}', { start: 0, end: 16 })).toThrow(SyntaxError);
  });

  it.each(['{"a":"', '{"a" 1}', '{"a":[1}', '[1,2]', '{a:1}', ''])('%s is refused', (text) => {
    expect(() => membersOf(text, { start: 0, end: text.length })).toThrow(SyntaxError);
  });
});
