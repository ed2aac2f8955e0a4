import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completeJson } from './complete-json.ts';

describe('completeJson', () => {
  it('parses whole JSON as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(completeJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('closes what the end cut off', () => {
    expect(completeJson('[{"role":"user","content":"long te')).toEqual([
      { role: 'user', content: 'long te' },
    ]);
    expect(completeJson('{"a":[1,2,{"b"')).toEqual({ a: [1, 2, {}] });
    expect(completeJson('{"a":"x\\u12')).toEqual({ a: 'x' });
    expect(completeJson('[tru')).toEqual([]);
  });

  it('gives nothing for what is no JSON', () => {
    expect(completeJson('hello')).toBeUndefined();
    expect(completeJson('')).toBeUndefined();
  });

  it('closes very deep lists in linear time', () => {
    const deep = completeJson('['.repeat(60_000));
    expect(Array.isArray(deep)).toBe(true);
  });

  it('makes something of every prefix of a list or object', () => {
    const value = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
    fc.assert(
      fc.property(value, fc.nat(), (document, seed) => {
        const text = JSON.stringify(document);
        expect(completeJson(text.slice(0, 1 + (seed % text.length)))).toBeDefined();
      }),
    );
  });
});
