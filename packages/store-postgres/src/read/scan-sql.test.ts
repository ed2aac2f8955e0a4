import type { ScanQuery } from '@ctx/store/backend';
import { expect, test } from 'vitest';
import { collectionTable } from '../schema/collection-table.ts';
import { papers } from '../test-support/papers.ts';
import { scanStatements } from './scan-sql.ts';

const table = collectionTable(papers, '"ctx"');

/** Each statement as condition, order and values. */
function stretches(query: Partial<ScanQuery>): unknown[] {
  const whole = { collection: 'papers', index: 'by_year', equal: ['t'], ...query };
  return scanStatements(table, whole, { selected: '*', limit: 9 }).map(({ sql, values }) => {
    const [, where, order, limit] = /WHERE (.*?)(?: ORDER BY (.*))? LIMIT \$(\d)$/.exec(sql) ?? [];
    // The limit is the last value.
    expect(Number(limit)).toBe(values.length);
    expect(values.at(-1)).toBe(9);
    return [where, order, values.slice(0, -1)];
  });
}

test('a scan is one range of its index, in its order', () => {
  expect(stretches({ range: { from: 1, to: 3, toExclusive: true } })).toEqual([
    [
      '"tenant" = $1 AND "year" >= $2 AND "year" < $3',
      '"year" ASC NULLS FIRST, "shelf" ASC NULLS FIRST, "id" ASC NULLS FIRST',
      ['t', 1, 3],
    ],
  ]);
});

test('behind a position there is a stretch for each field, the deepest first', () => {
  const after = { values: ['t', 5], key: ['t', 's', 'a'] };
  expect(stretches({ after })).toEqual([
    [
      '"tenant" = $1 AND "year" = $2 AND "shelf" = $3 AND "id" > $4',
      '"id" ASC NULLS FIRST',
      ['t', 5, 's', 'a'],
    ],
    [
      '"tenant" = $1 AND "year" = $2 AND "shelf" > $3',
      '"shelf" ASC NULLS FIRST, "id" ASC NULLS FIRST',
      ['t', 5, 's'],
    ],
    [
      '"tenant" = $1 AND "year" > $2',
      '"year" ASC NULLS FIRST, "shelf" ASC NULLS FIRST, "id" ASC NULLS FIRST',
      ['t', 5],
    ],
  ]);
});

test('downwards null comes last, in a stretch of its own', () => {
  const after = { values: ['t', 5], key: ['t', 's', 'a'] };
  const conditions = stretches({ after, descending: true });
  expect(conditions).toHaveLength(4);
  expect(conditions.at(-1)).toEqual([
    '"tenant" = $1 AND "year" IS NULL',
    '"year" DESC NULLS LAST, "shelf" DESC NULLS LAST, "id" DESC NULLS LAST',
    ['t'],
  ]);
});

test('a position behind all that is asked for reads nothing', () => {
  const after = { values: ['u', 5], key: ['u', 's', 'a'] };
  expect(stretches({ after })).toEqual([]);
});
