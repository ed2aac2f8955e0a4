import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHeap } from './heap.ts';

test('what goes in comes out by key, the highest first, equal keys by item', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), (keys) => {
      const heap = createHeap();
      keys.forEach((key, item) => {
        heap.push(item, key);
      });
      const out = keys.map(() => heap.pop());
      const sorted = keys
        .map((key, item) => ({ item, key }))
        .sort((a, b) => b.key - a.key || a.item - b.item);
      expect(out).toEqual(sorted);
      expect(heap.pop()).toBeUndefined();
      expect(heap.topKey()).toBe(Number.NEGATIVE_INFINITY);
    }),
  );
});
