import { collections } from '@ctx/store';
import type { TallyQuery } from '@ctx/store/backend';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { collectionTable } from '../schema/collection-table.ts';
import { tallySql } from './tally-sql.ts';

/** Bounds within one bucket, in neighbours, far apart, and beyond the last bucket. */
const bound = fc.oneof(
  fc.double({ noNaN: true }),
  fc.double({ min: 0, max: 1 / 16, noNaN: true }),
  fc.constantFrom(1e15, -1e15, 1e300, -1e300),
);

const anyRange = fc.record(
  { from: bound, fromExclusive: fc.boolean(), to: bound, toExclusive: fc.boolean() },
  { requiredKeys: [] },
);

const anyQuery: fc.Arbitrary<TallyQuery> = fc.record(
  {
    collection: fc.constant('items'),
    index: fc.constantFrom('by_rank', 'by_change'),
    equal: fc.constantFrom(['t'], ['t', 'a'], ['t', 'a', 0], ['t', 'a', null]),
    range: anyRange,
    groupBy: fc.constantFrom([], ['archived'], ['kind'], ['agent_id', 'archived']),
    sums: fc.constantFrom([], ['tokens'], ['access_count']),
  },
  { requiredKeys: ['collection', 'index', 'equal'] },
);

it('counts the same with SQL that it remembers as with SQL that is built anew', () => {
  const table = collectionTable(collections.items);
  fc.assert(
    fc.property(fc.array(anyQuery, { minLength: 1, maxLength: 20 }), (queries) => {
      for (const query of queries) {
        const { length } = table.index(query.index).fields;
        const asked = query.equal.length < length ? query : { ...query, range: {} };
        expect(tallySql(table, asked)).toEqual(tallySql(collectionTable(collections.items), asked));
      }
    }),
  );
});
