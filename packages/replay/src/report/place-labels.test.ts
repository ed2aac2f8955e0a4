import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chartScale } from './chart-scale.ts';
import { placeLabels } from './place-labels.ts';

const room = { left: 0, right: 560, top: 0, bottom: 400 };

it('puts a text that has room to the right of its point', () => {
  const points = [{ x: 100, y: 100, text: 'ctx' }];
  expect(placeLabels(points, room)).toEqual([{ x: 110, y: 104, anchor: 'start' }]);
});

it('turns to the left at the edge, and aside where another text stands', () => {
  const edge = [{ x: 550, y: 100, text: 'sliding' }];
  expect(placeLabels(edge, room)).toEqual([{ x: 540, y: 104, anchor: 'end' }]);
  const close = [
    { x: 100, y: 100, text: 'recipe-70k' },
    { x: 130, y: 102, text: 'recipe-50k' },
  ];
  const [first, second] = placeLabels(close, room);
  expect(first).toMatchObject({ anchor: 'end' });
  expect(second).toMatchObject({ anchor: 'start' });
});

it('gives every point one text, and the same points the same places', () => {
  const point = fc.record({
    x: fc.integer({ min: 0, max: 560 }),
    y: fc.integer({ min: 0, max: 400 }),
    text: fc.string({ maxLength: 20 }),
  });
  fc.assert(
    fc.property(fc.array(point, { maxLength: 15 }), (points) => {
      const placed = placeLabels(points, room);
      expect(placed).toHaveLength(points.length);
      expect(placeLabels(points, room)).toEqual(placed);
    }),
  );
});

it('marks axes in steps that people count in, one value only included', () => {
  const axis = { from: 0, to: 500, marks: 5 };
  expect(chartScale({ least: 12, most: 31, ...axis }).ticks).toEqual([15, 20, 25, 30]);
  const single = chartScale({ least: 7, most: 7, ...axis });
  expect(single.place(7)).toBe(0);
  expect(single.ticks.every(Number.isFinite)).toBe(true);
});
