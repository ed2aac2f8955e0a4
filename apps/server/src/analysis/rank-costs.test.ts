import { expect, it } from 'vitest';
import {
  groupByProject,
  pageOfRanked,
  type RankedSession,
  type RankQuery,
  rankSessions,
  sumCosts,
} from './rank-costs.ts';

const session = (id: string, dollars: number, fill: number, more = {}): RankedSession => {
  const price = { price: 'openai', isOfModel: true, pricesDate: '2026-11-01' };
  const each = { dollarsPerMillion: 1, outputDollarsPerMillion: 8, outputDollars: 0 };
  const counts = { requests: 1, inputTokens: 1, cachedTokens: 0, outputTokens: 1 };
  const reported = { reportedInputs: 1, reportedCaches: 1, reportedOutputs: 1 };
  const model = { ...price, ...each, ...counts, ...reported, inputDollars: dollars };
  const use = {
    ...({ source: 'window', isAssumed: false, parts: [], freeTokens: 0 } as const),
    ...{ windowTokens: 1200, reserveTokens: 200, tokens: fill * 1000 },
  };
  return {
    session: { id, version: 1, createdAt: 0, updatedAt: 'dcba'.indexOf(id), ...more },
    cost: { models: [model], carriedTokens: 1, everythingTokens: 3, use },
  };
};
const all = [
  session('a', 1, 0.9, { source: '/home/me/one/a.jsonl' }),
  session('b', 3, 0.1, { agentId: 'ada' }),
  session('c', 2, 0.5, { source: 'C:\\work\\one\\c.jsonl', title: 'Port it' }),
  { session: session('d', 0, 0).session },
];
const idsOf = (ranked: readonly RankedSession[]): string =>
  ranked.map((one) => one.session.id).join('');
const query: RankQuery = { sort: 'time', isGrouped: false, q: '' };

it('sessions are ordered by cost and by fill, and found by name', () => {
  const of = (sort: RankQuery['sort'], q = ''): string =>
    idsOf(rankSessions(all, { ...query, sort, q }));
  expect([of('time'), of('cost'), of('fill')]).toEqual(['abcd', 'bcad', 'acbd']);
  expect([of('cost', 'PORT'), of('time', 'ada'), of('time', 'nobody')]).toEqual(['c', 'b', '']);
});

it('sessions are grouped by the folder that they came from, else by agent', () => {
  const ranked = rankSessions(all, { sort: 'cost', isGrouped: true, q: '' });
  expect(idsOf(ranked)).toBe('bcad');
  const groups = groupByProject(rankSessions(all, { ...query, sort: 'cost' }));
  expect([...groups].map(([project, own]) => [project, idsOf(own)])).toEqual([
    ['ada', 'b'],
    ['one', 'ca'],
    ['no project', 'd'],
  ]);
  const more = [...all, session('e', 2.5, 0, { source: '/home/me/one/e.jsonl' })];
  expect(idsOf(rankSessions(more, { sort: 'cost', isGrouped: true, q: '' }))).toBe('ecabd');
  const apart = rankSessions(all, { sort: 'time', isGrouped: true, q: '' });
  expect(idsOf(apart)).toBe('acbd');
});

it('pages give each session once, also where the one before moved or left meanwhile', () => {
  const ranked = rankSessions(all, { ...query, sort: 'cost' });
  const first = pageOfRanked(ranked, { limit: 2 });
  expect([idsOf(first?.entries ?? []), typeof first?.next]).toEqual(['bc', 'string']);
  const cursor = first?.next;
  const after = (list: readonly RankedSession[]): string =>
    idsOf(pageOfRanked(list, { limit: 2, cursor })?.entries ?? []);
  expect(after(ranked)).toBe('ad');
  expect(after([session('e', 9, 0), ...ranked])).toBe('ad');
  expect(after(ranked.filter((one) => one.session.id !== 'c'))).toBe('d');
  expect(pageOfRanked(ranked, { limit: 2, cursor })).not.toHaveProperty('next');
  expect(pageOfRanked(ranked, { limit: 2, cursor: 'none' })).toBeUndefined();
});

it('costs of the same model are added up', () => {
  const sum = sumCosts(all);
  expect(sum.models).toHaveLength(1);
  expect(sum.models[0]).toMatchObject({ inputDollars: 6, requests: 3 });
  expect([sum.carriedTokens, sum.everythingTokens]).toEqual([3, 9]);
});
