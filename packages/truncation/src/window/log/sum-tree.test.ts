import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSumTree } from './sum-tree.ts';

test('gives the sums of a plain list, whatever is added and changed', () => {
  const change = fc.tuple(fc.nat(60), fc.integer({ min: -50, max: 50 }));
  fc.assert(
    fc.property(fc.array(fc.nat(100), { maxLength: 60 }), fc.array(change), (values, changes) => {
      const tree = createSumTree();
      const list: number[] = [];
      for (const value of values) {
        tree.push(value);
        list.push(value);
      }
      for (const [index, by] of changes) {
        if (index >= list.length) continue;
        tree.add(index, by);
        list[index] = (list[index] ?? 0) + by;
      }
      expect(tree.length).toBe(list.length);
      for (let from = 0; from <= list.length + 1; from += 1) {
        expect(tree.sumFrom(from)).toBe(list.slice(from).reduce((sum, value) => sum + value, 0));
      }
    }),
  );
});

test('stays right when numbers come after changes', () => {
  const tree = createSumTree();
  for (const value of [1, 2, 3]) tree.push(value);
  tree.add(1, -2);
  for (const value of [4, 5]) tree.push(value);
  expect([0, 1, 2, 3, 4, 5].map((from) => tree.sumFrom(from))).toEqual([13, 12, 12, 9, 5, 0]);
});
