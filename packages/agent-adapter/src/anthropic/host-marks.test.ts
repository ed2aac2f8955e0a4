import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CacheMark, mergeMarks } from './host-marks.ts';

const mark = (message: number, lifetime: CacheMark['lifetime'] = '5m'): CacheMark => ({
  ...{ at: 'message', message, block: 0, lifetime },
});
const system: CacheMark = { at: 'system', message: 0, block: 0, lifetime: '1h' };

describe('marks of the host and ours', () => {
  it('stand together: the host’s where they were, the newest of ours in the room that is left', () => {
    const merged = mergeMarks([system, mark(3)], [mark(1), mark(5), mark(9)], 4);
    expect(merged).toEqual([system, mark(3), mark(5), mark(9)]);
  });

  it('are one where both are at the same place, with the host’s lifetime', () => {
    expect(mergeMarks([mark(3, '1h')], [mark(3), mark(5)], 4)).toEqual([mark(3, '1h'), mark(5)]);
  });

  it('are the host’s newest and those in front where there are too many', () => {
    const many = [system, ...[0, 1, 2, 3, 4, 5].map((at) => mark(at))];
    expect(mergeMarks(many, [mark(9)], 4)).toEqual([system, mark(3), mark(4), mark(5)]);
  });

  it('never stand behind one that lives less, unless the host put them so', () => {
    const some = fc.uniqueArray(fc.nat({ max: 12 }), { maxLength: 6 });
    const hosts = fc
      .tuple(some, fc.nat({ max: 6 }))
      .map(([places, hours]) =>
        places.toSorted((a, b) => a - b).map((place, at) => mark(place, at < hours ? '1h' : '5m')),
      );
    const planned = fc.tuple(some, fc.constantFrom('5m', '1h' as const));
    fc.assert(
      fc.property(hosts, planned, (own, [places, lifetime]) => {
        const merged = mergeMarks(
          own,
          places.map((place) => mark(place, lifetime)),
          4,
        );
        expect(merged.length).toBeLessThanOrEqual(4);
        expect(merged.length).toBe(
          Math.min(4, new Set([...own.map(({ message }) => message), ...places]).size),
        );
        const lifetimes = merged.map((each) => each.lifetime);
        expect(lifetimes).toEqual(lifetimes.toSorted());
        expect(
          own.slice(-4).every((each) => merged.some(({ message }) => message === each.message)),
        ).toBe(true);
      }),
    );
  });
});
