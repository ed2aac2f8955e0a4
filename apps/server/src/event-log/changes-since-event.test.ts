import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { expect, it } from 'vitest';
import { openTenants } from '../tenants/open-tenants.ts';
import { changesSinceEvent } from './changes-since-event.ts';
import { liveLog } from './live-log.ts';
import { withLiveEvents } from './with-live-events.ts';

const start = Date.UTC(2026, 0, 1);
const minute = 60_000;

async function opened(keepLiveEvents = 10_000) {
  const clock = { now: start };
  const options = { clock: () => clock.now, keepLiveEvents };
  const stores = await openTenants(memoryBackend(), options);
  const store = await stores.store('default');
  const log = stores.liveLog('default');
  const save = (id: string, content = id, agentId = 'a') =>
    store.items.save({ agentId, kind: 'TASK', id, content });
  const since = (sequence: number) => changesSinceEvent({ store, log }, 'a', sequence);
  return { clock, store, log, save, since };
}

const ids = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id).sort();

it('tells what was saved, changed, moved and deleted behind an event, of one agent', async () => {
  const { clock, store, save, since } = await opened();
  for (const id of ['old', 'gone', 'back', 'touched', 'edited']) await save(id);
  clock.now += minute;
  await store.items.save({ agentId: 'b', kind: 'TASK', content: 'the last event that was seen' });
  const { sequence } = await since(0);
  expect(sequence).toBe(6);
  clock.now += minute;
  await save('new');
  await save('edited', 'another content');
  await save('foreign', 'of another agent', 'b');
  await store.items.touch('a', 'touched');
  await store.items.delete('a', 'gone');
  await store.items.delete('a', 'back');
  clock.now += minute;
  await save('back');
  const found = await since(sequence);
  expect(found).toMatchObject({ agentId: 'a', since: 6, sequence: 13, unnamed: 0 });
  expect(ids(found.added)).toEqual(['back', 'new']);
  expect(ids(found.changed)).toEqual(['edited']);
  expect(ids(found.moved)).toEqual(['touched']);
  expect(found.removed).toEqual(['gone']);
  clock.now += minute;
  await save('last');
  const after = await since(found.sequence);
  // What came within the second before is told again.
  expect([ids(after.added), after.changed, after.removed]).toEqual([['back', 'last'], [], []]);
});

it('misses nothing whose time was planned before the event that it stands behind', async () => {
  const { clock, save, log, since } = await opened();
  clock.now += minute;
  await save('first');
  const { newest } = await log.bounds();
  clock.now -= 500;
  await save('behind');
  expect(ids((await since(newest)).added)).toContain('behind');
});

it('counts deletions whose names the log does not hold, and tells none of another agent', async () => {
  const clock = () => start;
  const backend = withLiveEvents(memoryBackend(), { clock });
  const store = await openStore(backend, { clock });
  const log = liveLog(backend, 'default');
  const names = Array.from({ length: 20 }, (_, at) => `i${String(at)}`);
  for (const agentId of ['a', 'b']) {
    await store.items.saveMany(names.map((id) => ({ agentId, kind: 'TASK', content: id, id })));
  }
  await store.items.save({ agentId: 'a', kind: 'TASK', content: 'alone', id: 'alone' });
  const { newest } = await log.bounds();
  for (const agentId of ['a', 'b']) {
    const key = (id: string) => ['default', agentId, id];
    await backend.write(names.map((id) => ({ type: 'delete', collection: 'items', key: key(id) })));
  }
  await store.items.delete('a', 'alone');
  const changes = await changesSinceEvent({ store, log }, 'a', newest);
  expect(changes).toMatchObject({ removed: ['alone'], unnamed: 20 });
});

it('reads the log to its end, however much is behind the event', async () => {
  const { clock, store, save, since } = await opened();
  await save('first');
  for (let index = 0; index < 1002; index += 1) {
    await store.sessions.update(`s${String(index % 3)}`, (session) => session);
  }
  clock.now += minute;
  await store.items.delete('a', 'first');
  expect((await since(1)).removed).toEqual(['first']);
});

it('tells everything since 0, and refuses an event that the log does not have', async () => {
  const { save, since } = await opened(10);
  expect(await since(0)).toMatchObject({ sequence: 0, added: [], removed: [] });
  for (let index = 0; index < 600; index += 1) await save(`i${String(index)}`);
  expect((await since(0)).added).toHaveLength(600);
  for (const unknown of [1, 601, 9999]) {
    await expect(since(unknown)).rejects.toMatchObject({ code: 'CTX_INVALID_INPUT' });
  }
});
