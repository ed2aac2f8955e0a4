import { collections } from '@ctx/store';
import type { ScanQuery } from '@ctx/store/backend';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { collectionTable } from '../schema/collection-table.ts';
import { buildStretches, fixedValues, scanStretches } from './scan-sql.ts';

const bound = fc.double({ noNaN: true });

const anyRange = fc.record(
  { from: bound, fromExclusive: fc.boolean(), to: bound, toExclusive: fc.boolean() },
  { requiredKeys: [] },
);

const anyQuery: fc.Arbitrary<ScanQuery> = fc.record(
  {
    collection: fc.constant('items'),
    index: fc.constantFrom('by_rank', 'by_change', 'key'),
    equal: fc.oneof(
      fc.constant(['t']),
      fc.constant(['t', null]),
      fc.constant(['t', 'a']),
      fc.constant(['t', 'a', 0]),
      fc.constant(['t', 'a', null]),
    ),
    range: anyRange,
    descending: fc.boolean(),
    part: fc.constantFrom('whole' as const, 'columns' as const),
    columns: fc.constantFrom(['kind'], ['tokens', 'kind'], []),
    limit: fc.nat(),
  },
  { requiredKeys: ['collection', 'index', 'equal'] },
);

it('asks the same with SQL that it remembers as with SQL that is built anew', () => {
  const table = collectionTable(collections.items);
  fc.assert(
    fc.property(fc.array(anyQuery, { minLength: 1, maxLength: 20 }), (queries) => {
      for (const query of queries) {
        const { length } = table.index(query.index).fields;
        const asked = query.equal.length < length ? query : { ...query, range: {} };
        const built = buildStretches(table, asked);
        const remembered = scanStretches(table, asked);
        expect(remembered).toEqual(built);
      }
    }),
  );
});

it('takes nothing out of the file that the query says, and says it as the file would', () => {
  const table = collectionTable(collections.items);
  const query = { collection: 'items', index: 'by_rank', equal: ['t', 'a', -0] } as const;
  const [{ sql } = { sql: '' }] = buildStretches(table, { ...query, columns: ['archived'] });
  expect(sql).toMatch(
    /^SELECT _id, NULL AS "tenant", NULL AS "agent_id", "item_id", .*NULL AS "archived", /,
  );
  const fixed = fixedValues(table, { ...query, columns: ['archived'] });
  expect(fixed.slice(0, 4)).toEqual([undefined, 't', 'a', undefined]);
  expect(fixed.filter((value) => value === 0).map((value) => Object.is(value, 0))).toEqual([true]);
});
