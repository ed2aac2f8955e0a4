import { join } from 'node:path';
import { collections, storeCollections } from '@ctx/store';
import type { CollectionDefinition, ScanQuery, TallyQuery } from '@ctx/store/backend';
import type { Condition } from '@ctx/store/sql';
import { expect, test } from 'vitest';
import { loadDriver } from './driver/driver.ts';
import { scanStretches } from './read/scan-sql.ts';
import { tallySql } from './read/tally-sql.ts';
import { type CollectionTable, collectionTable } from './schema/collection-table.ts';
import { sqliteBackend } from './sqlite-backend.ts';
import { temporaryFolder } from './test-support/places.ts';

/** What SQLite says it would do, line by line. */
async function plansOf(
  statements: readonly Condition[],
  extra: readonly number[],
): Promise<string[]> {
  const path = join(temporaryFolder(), 'ctx.db');
  const backend = sqliteBackend({ path });
  await backend.open(storeCollections);
  await backend.close();
  const database = (await loadDriver())(path);
  const lines = statements.flatMap(({ sql, values }) =>
    database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values, ...extra),
  );
  database.close();
  return lines.map(({ detail }) => String(detail));
}

function scanPlans(
  definition: CollectionDefinition,
  query: Omit<ScanQuery, 'collection'>,
): Promise<string[]> {
  const table: CollectionTable = collectionTable(definition);
  return plansOf(scanStretches(table, { collection: definition.name, ...query }), [100]);
}

function tallyPlans(
  query: Omit<TallyQuery, 'collection'>,
  definition: CollectionDefinition = collections.items,
): Promise<string[]> {
  const table = collectionTable(definition);
  return plansOf([tallySql(table, { collection: definition.name, ...query })], []);
}

const hot = { index: 'by_rank', equal: ['t', 'a', 0], range: { from: 7.5 }, descending: true };

test('the hottest items are one range of one index, in its order', async () => {
  expect(await scanPlans(collections.items, hot)).toEqual([
    'SEARCH items USING INDEX items$by_rank (tenant=? AND agent_id=? AND archived=? AND rank>?)',
  ]);
});

test('a further page of a tier enters the index behind the last item', async () => {
  const after = { values: ['t', 'a', 0, 9.25], key: ['t', 'a', 'i7'] };
  const range = { from: 7.5, to: 12, toExclusive: true };
  expect(await scanPlans(collections.items, { ...hot, range, after })).toEqual([
    'SEARCH items USING INDEX items$by_rank (tenant=? AND agent_id=? AND archived=? AND rank=? AND item_id<?)',
    'SEARCH items USING INDEX items$by_rank (tenant=? AND agent_id=? AND archived=? AND rank>? AND rank<?)',
  ]);
});

test.for<[CollectionDefinition, Omit<ScanQuery, 'collection'>]>([
  [collections.sessions, { index: 'by_activity', equal: ['t'], descending: true }],
  [collections.sessions, { index: 'by_agent', equal: ['t', null], descending: true }],
  [
    collections.sessions,
    {
      index: 'by_agent',
      equal: ['t'],
      descending: true,
      after: { values: ['t', 'a', 5], key: ['t', 's'] },
    },
  ],
  [collections.outputs, { index: 'by_session', equal: ['t', 's'], range: { from: 3 } }],
  [collections.outputs, { index: 'by_task', equal: ['t', 's', 'task'] }],
  [
    collections.outputs,
    { index: 'key', equal: ['t', 's'], after: { values: [], key: ['t', 's', 'o'] } },
  ],
])('query %# reads its index and neither scans nor sorts', async ([definition, query]) => {
  const lines = await scanPlans(definition, query);
  const name = `${definition.name} USING INDEX ${definition.name}$${query.index} (tenant=?`;
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => !line.startsWith(`SEARCH ${name}`))).toEqual([]);
});

test('a tally over a tier reads kept counts and the two edge buckets only', async () => {
  const lines = await tallyPlans({ ...hot, range: { from: 7.501, to: 90.25 }, sums: ['tokens'] });
  const searches = lines.filter((line) => line.startsWith('SEARCH'));
  const edge =
    'SEARCH items USING COVERING INDEX items$by_rank (tenant=? AND agent_id=? AND archived=? AND rank>? AND rank<?)';
  expect(searches).toEqual([
    'SEARCH items$by_rank$tally USING PRIMARY KEY (tenant=? AND agent_id=? AND archived=? AND bucket>? AND bucket<?)',
    edge,
    edge,
  ]);
  expect(lines.filter((line) => /^SCAN items|TEMP B-TREE/.test(line))).toEqual([]);
});

const events = storeCollections.find(({ name }) => name === 'events') ?? collections.items;

test.for<[string, CollectionDefinition, Omit<TallyQuery, 'collection'>, string]>([
  [
    'all outputs of a tenant',
    collections.outputs,
    { index: 'by_age', equal: ['t'], sums: ['bytes', 'tokens'] },
    'outputs$by_age$tally USING PRIMARY KEY (tenant=?)',
  ],
  [
    'the outputs of a session',
    collections.outputs,
    { index: 'by_session', equal: ['t', 's'], sums: ['bytes', 'tokens'] },
    'outputs USING COVERING INDEX outputs$by_session (tenant=? AND session_id=?)',
  ],
  [
    'the events of a log',
    events,
    { index: 'by_type', equal: ['t', 's'], sums: ['tokens'] },
    'events USING COVERING INDEX events$by_type (tenant=? AND session_id=?)',
  ],
])(
  '%s are counted from kept sums or an index, and no row is read',
  async ([, definition, query, source]) => {
    const lines = await tallyPlans(query, definition);
    expect(lines.filter((line) => line.startsWith('SEARCH'))).toEqual([`SEARCH ${source}`]);
    expect(lines.filter((line) => line.startsWith('SCAN') && line !== 'SCAN (subquery-1)')).toEqual(
      [],
    );
  },
);
