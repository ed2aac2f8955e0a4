import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recentMap } from './recent-map.ts';

describe('what was used last', () => {
  it('is held, and what was not used for the longest time leaves', () => {
    const map = recentMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);
    expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3]);
    map.delete('a');
    map.set('d', 4);
    expect(['a', 'c', 'd'].map((key) => map.get(key))).toEqual([undefined, 3, 4]);
  });

  it('is not held where it is larger than all room, nor is what stood there before', () => {
    const map = recentMap<string>(3, (text) => text.length);
    map.set('a', 'xx');
    map.set('b', 'x');
    map.set('a', 'xxxx');
    expect(['a', 'b'].map((key) => map.get(key))).toEqual([undefined, 'x']);
  });

  it('is what a list of uses says, for any uses and sizes', () => {
    const use = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      size: fc.integer({ min: 0, max: 7 }),
      kind: fc.constantFrom('get', 'set', 'delete'),
    });
    fc.assert(
      fc.property(fc.array(use, { maxLength: 60 }), (uses) => {
        const map = recentMap<{ readonly size: number }>(10, ({ size }) => size);
        let model: [string, { readonly size: number }][] = [];
        for (const { key, size, kind } of uses) {
          const found = model.find(([name]) => name === key)?.[1];
          const others = model.filter(([name]) => name !== key);
          if (kind === 'get') {
            expect(map.get(key)).toBe(found);
            model = found === undefined ? model : [...others, [key, found]];
            continue;
          }
          model = others;
          if (kind === 'delete') map.delete(key);
          if (kind === 'delete') continue;
          const value = { size };
          map.set(key, value);
          if (size <= 10) model.push([key, value]);
          const total = () => model.reduce((sum, [, one]) => sum + one.size, 0);
          while (total() > 10) model.shift();
        }
        for (const [key, value] of [...model]) expect(map.get(key)).toBe(value);
      }),
    );
  });
});
