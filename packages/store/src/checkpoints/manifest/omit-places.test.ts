import fc from 'fast-check';
import { expect, it } from 'vitest';
import { partsOfItems } from '../working/working-part.ts';
import { partEncoder } from './encode-part.ts';
import { decodePart } from './manifest-part.ts';
import { partWithout } from './omit-places.ts';

const id = fc.string({ unit: 'grapheme', maxLength: 8 });
const item = fc.record({
  id,
  kind: fc.constantFrom('TASK', 'note', 'kind "of" its own'),
  rank: fc.double({ noNaN: true, noDefaultInfinity: true }),
  accessCount: fc.nat(),
  createdAt: fc.nat(),
  updatedAt: fc.nat(),
  lastAccessedAt: fc.nat(),
  rankedAt: fc.nat(),
  pinned: fc.boolean(),
  source: fc.constantFrom('user', 'tool'),
  trust: fc.constantFrom('trusted' as const, 'derived' as const, 'untrusted' as const),
  fingerprint: fc.stringMatching(/^[0-9a-f]{8}$/),
  tokens: fc.nat(),
});
const more = fc.record(
  { finishedAt: fc.nat(), weight: fc.double({ min: 0, max: 1 }), sessionId: id },
  { requiredKeys: [] },
);
const items = fc.uniqueArray(
  fc.tuple(item, more).map(([one, other]) => ({ ...one, ...other })),
  { selector: (one) => one.id, minLength: 1, maxLength: 20 },
);

it('leaves the other items as they were, in their order, and of those that go nothing but their number', () => {
  fc.assert(
    fc.property(items, fc.infiniteStream(fc.boolean()), fc.boolean(), (all, goes, archived) => {
      const standing = all.map((one) => ({
        item: { ...one, agentId: 'agent', archived },
        version: 1,
      }));
      const [part] = partsOfItems(standing);
      if (part === undefined) throw new TypeError('there are items');
      const tierAt = (rank: number) => (rank > 0 ? 'hot' : 'cold');
      const body = partEncoder()(part, { tierAt, archived });
      const before = decodePart(body);
      const going = new Set(all.filter(() => goes.next().value).map((one) => one.id));
      const after = partWithout(body, going);
      const staying = before.items.filter((one) => !going.has(one.id));
      expect(decodePart(after ?? body)).toEqual({ items: staying, purged: going.size });
      expect(after === undefined).toBe(going.size === 0);
      expect(after && partWithout(after, going)).toBeUndefined();
      // As if the others had never been there, but for their number.
      const alone = partsOfItems(standing.filter((one) => !going.has(one.item.id)));
      const encoded = alone[0] === undefined ? '' : partEncoder()(alone[0], { tierAt, archived });
      if (after !== undefined && encoded !== '') {
        const { purged: _purged, ...rest } = JSON.parse(after) as Record<string, unknown>;
        expect(rest).toEqual(JSON.parse(encoded));
      }
    }),
  );
});

it('counts what goes one after the other', () => {
  const ids = ['a', 'b', 'c'];
  const texts = { values: ['x'], at: [0, 0, 0] };
  const numbers = [0, 0, 0];
  const lists = { rank: numbers, tokens: numbers, accesses: numbers, created: numbers };
  const moments = { updated: numbers, accessed: numbers, ranked: numbers };
  const named = { kind: texts, source: texts, trust: texts, tier: texts };
  const few = { session: [[2, 's']], finished: [], weight: [], pinned: [1], archived: [] };
  const body = JSON.stringify({
    id: ids,
    fingerprint: ids,
    ...lists,
    ...moments,
    ...named,
    ...few,
  });
  const first = partWithout(body, new Set(['a'])) ?? '';
  expect(JSON.parse(first)).toMatchObject({ id: ['b', 'c'], session: [[1, 's']], pinned: [0] });
  expect(JSON.parse(partWithout(first, new Set(['a', 'c'])) ?? '')).toMatchObject({
    ...{ id: ['b'], session: [], purged: 2 },
  });
});
