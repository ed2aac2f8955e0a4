import { describe, expect, it } from 'vitest';
import { knownReads } from './read-cache.ts';

describe('what was read lately', () => {
  it('is kept from the second look on, and good until the mark is another', () => {
    let mark = 'one';
    const known = knownReads<number>(() => mark);
    expect(known.look('a')).toEqual({ value: undefined, keep: undefined });
    known.look('a').keep?.(7);
    expect(known.look('a').value).toBe(7);
    expect(known.look('b').value).toBeUndefined();
    mark = 'two';
    expect(known.look('a')).toEqual({ value: undefined, keep: undefined });
  });

  it('is of the mark at the look, whatever is written before it is kept', () => {
    let mark = 'one';
    const known = knownReads<number>(() => mark);
    known.look('a');
    const { keep } = known.look('a');
    mark = 'two';
    keep?.(7);
    expect(known.look('a').value).toBeUndefined();
  });

  it('is nothing where the backend tells no mark', () => {
    const known = knownReads<number>(() => undefined);
    known.look('a');
    expect(known.look('a')).toEqual({ value: undefined, keep: undefined });
  });

  it('is bounded: what was not asked for for the longest time leaves', () => {
    const known = knownReads<number>(() => 'one');
    const names = Array.from({ length: 65 }, (_, index) => String(index));
    for (const name of names) {
      known.look(name);
      known.look(name).keep?.(1);
    }
    expect(known.look('64').value).toBe(1);
    expect(known.look('1').value).toBe(1);
    expect(known.look('0').value).toBeUndefined();
  });
});
