import { memoryBackend } from '@ctx/store/backend';
import { expect, it } from 'vitest';
import { openTenants } from '../tenants/open-tenants.ts';
import { shareBackend } from '../tenants/share-backend.ts';

const hour = 3_600_000;

async function setUp() {
  let now = Date.UTC(2026, 0, 1);
  const backend = shareBackend(memoryBackend());
  const options = { clock: () => now, importance: { pauseMs: Number.POSITIVE_INFINITY } };
  const one = await openTenants(backend.handle(), options);
  const other = await openTenants(backend.handle(), options);
  const told = async () => {
    const events = await one.liveLog('t').after(0, 1000);
    return events.filter(({ type }) => type === 'tier-changed');
  };
  const pass = (ms: number): void => {
    now += ms;
  };
  const store = await one.store('t');
  return { one, other, told, pass, store };
}

it('what fell because time passed is told once, whoever of two processes looks', async () => {
  const { one, other, told, pass, store } = await setUp();
  expect(await one.tellTierChanges('t', 1000)).toBe(0);
  const { item } = await store.items.save({ agentId: 'ada', kind: 'TASK', content: 'port it' });
  pass(1000);
  expect(await one.tellTierChanges('t', 1000)).toBe(0);
  pass(6 * hour);
  const counts = await Promise.all([
    one.tellTierChanges('t', 1000),
    other.tellTierChanges('t', 1000),
  ]);
  expect(counts.toSorted()).toEqual([0, 1]);
  expect(await told()).toMatchObject([{ type: 'tier-changed', agentId: 'ada', id: item.id }]);
  pass(1000);
  expect(await other.tellTierChanges('t', 1000)).toBe(0);
  expect(await told()).toHaveLength(1);
});

it('many items of an agent are one event with their number', async () => {
  const { one, told, pass, store } = await setUp();
  await one.tellTierChanges('t', 1000);
  const inputs = Array.from({ length: 30 }, (_, index) => ({
    agentId: 'ada',
    kind: 'TASK',
    content: `task ${String(index)}`,
  }));
  await store.items.saveMany(inputs);
  pass(6 * hour);
  await one.tellTierChanges('t', 1000);
  expect(await told()).toMatchObject([{ agentId: 'ada', count: 30 }]);
});

it('nothing is told where it was told a short while ago', async () => {
  const { one, pass, store } = await setUp();
  await one.tellTierChanges('t', 7 * hour);
  await store.items.save({ agentId: 'ada', kind: 'TASK', content: 'port it' });
  pass(6 * hour);
  expect(await one.tellTierChanges('t', 7 * hour)).toBe(0);
  pass(2 * hour);
  expect(await one.tellTierChanges('t', 7 * hour)).toBe(1);
});
