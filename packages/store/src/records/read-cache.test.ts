import { describe, expect, it } from 'vitest';
import { memoryBackend } from '../backend/memory/memory-backend.ts';
import { knownReads } from './read-cache.ts';

function marked(mark: () => string | undefined) {
  return knownReads<number>({ ...memoryBackend(), mark });
}

describe('what was read lately', () => {
  it('is kept from the second look on, and good until the mark is another', () => {
    let mark = 'one';
    const known = marked(() => mark);
    expect(known.look('a')).toEqual({ value: undefined, keep: undefined });
    known.look('a').keep?.(7);
    expect(known.look('a').value).toBe(7);
    expect(known.look('b').value).toBeUndefined();
    mark = 'two';
    expect(known.look('a')).toEqual({ value: undefined, keep: undefined });
  });

  it('is of the mark at the look, whatever is written before it is kept', () => {
    let mark = 'one';
    const known = marked(() => mark);
    known.look('a');
    const { keep } = known.look('a');
    mark = 'two';
    keep?.(7);
    expect(known.look('a').value).toBeUndefined();
  });

  it('is nothing where the backend tells no mark', () => {
    const known = marked(() => undefined);
    known.look('a');
    expect(known.look('a')).toEqual({ value: undefined, keep: undefined });
  });

  it('is bounded: what was not asked for for the longest time leaves', () => {
    const known = marked(() => 'one');
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
