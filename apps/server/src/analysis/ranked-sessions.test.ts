import { setTimeout as wait } from 'node:timers/promises';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { expect, it } from 'vitest';
import { createRankings } from './ranked-sessions.ts';

async function storeOf(ids: readonly string[]) {
  // Their last change is long past.
  let now = 0;
  const store = await openStore(memoryBackend(), { clock: () => now });
  for (const id of ids) await store.sessions.update(id, (session) => session);
  now = 3_600_000;
  return store;
}

it('sessions are read once, those that changed again, and those that are gone leave', async () => {
  const store = await storeOf(['a', 'b', 'c']);
  const read: string[] = [];
  const reader = async (id: string) => {
    read.push(id);
    return {};
  };
  const rankings = createRankings();
  await rankings.update(store, reader);
  expect(read.toSorted()).toEqual(['a', 'b', 'c']);
  read.length = 0;
  await store.sessions.update('b', (session) => ({ ...session, title: 'other' }));
  await store.sessions.delete('c');
  const { sessions, unread } = await rankings.update(store, reader);
  expect([read, unread]).toEqual([['b'], 0]);
  const titles = [...sessions].map(({ session }) => [session.id, session.title]);
  expect(titles.toSorted()).toEqual([
    ['a', undefined],
    ['b', 'other'],
  ]);
});

it('a long work is answered before its end, says how many sessions wait, and goes on until the next answer', async () => {
  const store = await storeOf(['a', 'b', 'c', 'd']);
  const rankings = createRankings();
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  const read: string[] = [];
  const reader = async (id: string) => {
    if (read.push(id) === 2) await given;
    return {};
  };
  const first = await rankings.update(store, reader);
  expect([[...first.sessions].length, first.unread]).toEqual([1, 3]);
  give();
  await expect.poll(() => read.length).toBe(4);
  const second = await rankings.update(store, reader);
  expect([[...second.sessions].length, second.unread]).toEqual([4, 0]);
  expect(read.toSorted()).toEqual(['a', 'b', 'c', 'd']);
});

it('what changed while sessions were read is in the answer to whoever asked after it', async () => {
  const store = await storeOf(['a', 'b']);
  const rankings = createRankings();
  const read: string[] = [];
  const reader = async (id: string) => {
    read.push(id);
    await wait(60);
    return {};
  };
  const first = rankings.update(store, reader);
  await expect.poll(() => read.length).toBe(2);
  await store.sessions.update('new', (session) => session);
  const [second, third] = await Promise.all([
    rankings.update(store, reader),
    rankings.update(store, reader),
  ]);
  await first;
  expect([[...second.sessions].length, [...third.sessions].length]).toEqual([3, 3]);
  expect(read.toSorted()).toEqual(['a', 'b', 'new']);
});

it('a ranking that nobody asks for any more is not read on', async () => {
  const store = await storeOf(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']);
  const rankings = createRankings();
  const read: string[] = [];
  const slowly = async (id: string) => {
    read.push(id);
    await wait(700);
    return {};
  };
  const { unread } = await rankings.update(store, slowly);
  expect(unread).toBe(9);
  await wait(5_000);
  // Those of two seconds; all of them would take more than six.
  expect(read.length).toBeLessThan(5);
});

it('a reading that failed is told to whoever waits for it, and begun anew', async () => {
  const store = await storeOf(['a', 'b']);
  const rankings = createRankings();
  const failed = rankings.update(store, () => Promise.reject(new Error('no disk')));
  await expect(failed).rejects.toThrow('no disk');
  const { sessions, unread } = await rankings.update(store, async () => ({}));
  expect([[...sessions].length, unread]).toEqual([2, 0]);
});

it('sessions that are not read yet come before those that may have changed a moment ago', async () => {
  const store = await openStore(memoryBackend(), { clock: () => 0 });
  for (const id of ['a', 'b', 'c']) await store.sessions.update(id, (session) => session);
  const rankings = createRankings();
  const read: string[] = [];
  const reader = async (id: string) => {
    read.push(id);
    return {};
  };
  await rankings.update(store, reader);
  await store.sessions.update('new', (session) => session);
  await rankings.update(store, reader);
  expect(read.slice(0, 3).toSorted()).toEqual(['a', 'b', 'c']);
  expect(read[3]).toBe('new');
  expect(read.slice(4).toSorted()).toEqual(['a', 'b', 'c']);
});

it('an answer waits for the list of a large store: none says that no session is left to read', async () => {
  const store = await storeOf(['a', 'b']);
  const list: typeof store.sessions.list = async (request) => {
    await wait(600);
    return store.sessions.list(request);
  };
  const slow = { ...store, sessions: { ...store.sessions, list } };
  const { sessions, unread } = await createRankings().update(slow, async () => {
    await wait(700);
    return {};
  });
  expect([...sessions].length + unread).toBe(2);
});
