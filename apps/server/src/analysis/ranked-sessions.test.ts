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

it('a long work ends early, says how many sessions wait, and goes on with the next answer', async () => {
  const store = await storeOf(['a', 'b', 'c', 'd']);
  const rankings = createRankings();
  const first = await rankings.update(store, async () => {
    await wait(1_100);
    return {};
  });
  expect([[...first.sessions].length, first.unread]).toEqual([1, 3]);
  const second = await rankings.update(store, async () => ({}));
  expect([[...second.sessions].length, second.unread]).toEqual([4, 0]);
});

it('sessions that are not read yet come before those that may have changed a moment ago', async () => {
  const store = await openStore(memoryBackend(), { clock: () => 0 });
  for (const id of ['a', 'b', 'c']) await store.sessions.update(id, (session) => session);
  const rankings = createRankings();
  const read: string[] = [];
  const slowly = async (id: string) => {
    read.push(id);
    await wait(1_100);
    return {};
  };
  for (let left = 3; left > 0; left -= 1) {
    const { unread } = await rankings.update(store, slowly);
    expect(unread).toBe(left - 1);
  }
  expect(read.toSorted()).toEqual(['a', 'b', 'c']);
});
