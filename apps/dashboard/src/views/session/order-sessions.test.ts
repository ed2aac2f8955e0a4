import { expect, it } from 'vitest';
import type { SessionCost } from '../../api/cost-queries.ts';
import { groupSessions, orderSessions } from './order-sessions.ts';

const session = (id: string, dollars: number, fill: number, more = {}): SessionCost => {
  const at = '2026-11-01T00:00:00.000Z';
  const price = { price: 'openai', isOfModel: true, pricesDate: at };
  const each = { dollarsPerMillion: 1, outputDollarsPerMillion: 8, outputDollars: 0 };
  const counts = { requests: 1, inputTokens: 1, cachedTokens: 0, outputTokens: 1 };
  const reported = { reportedInputs: 1, reportedOutputs: 1 };
  const model = { ...price, ...each, ...counts, ...reported, inputDollars: dollars };
  return {
    session: { id, createdAt: at, updatedAt: at, ...more },
    cost: { models: [model], carriedTokens: 1, everythingTokens: 1, fill },
  };
};
const all = [
  session('a', 1, 0.9, { source: '/home/me/one/a.jsonl' }),
  session('b', 3, 0.1, { agentId: 'ada' }),
  session('c', 2, 0.5, { source: 'C:\\work\\one\\c.jsonl', title: 'Port it' }),
  { session: session('d', 0, 0).session },
];
const idsOf = (costs: readonly SessionCost[]): string =>
  costs.map((one) => one.session.id).join('');

it('sessions are ordered by cost and by fill, and found by name', () => {
  const of = (sort: string, q = ''): string => idsOf(orderSessions(all, { sort, q }));
  expect([of(''), of('cost'), of('fill')]).toEqual(['abcd', 'bcad', 'acbd']);
  expect([of('cost', 'PORT'), of('', 'ada'), of('', 'nobody')]).toEqual(['c', 'b', '']);
});

it('sessions are grouped by the folder that they came from, else by agent', () => {
  const groups = groupSessions(orderSessions(all, { sort: 'cost', q: '' }));
  expect(groups.map(([project, costs]) => [project, idsOf(costs)])).toEqual([
    ['ada', 'b'],
    ['one', 'ca'],
    ['no project', 'd'],
  ]);
});
