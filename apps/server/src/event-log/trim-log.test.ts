import { collections } from '@ctx/store';
import type { WriteOperation } from '@ctx/store/backend';
import { memoryBackend } from '@ctx/store/backend';
import { expect, it } from 'vitest';
import { liveKey } from './live-record.ts';
import { isTrimmed, readNewest, trimOperations } from './trim-log.ts';

/** A log of two tenants, whose events have the numbers 1 to `events`. */
async function openLog(events: number, keep: number) {
  const backend = memoryBackend();
  await backend.open([collections.liveEvents]);
  const collection = collections.liveEvents.name;
  const columns = { type: 'item-saved', at: 1 };
  const puts = ['t', 'u'].flatMap((tenant) =>
    Array.from({ length: events }, (_, at): WriteOperation => {
      return { type: 'put', collection, key: liveKey(tenant, at + 1), columns, body: '{}' };
    }),
  );
  await backend.write(puts);
  const place = { backend, clock: () => 0, keep };
  const trimmed = async (newest: number): Promise<number[]> => {
    const operations = await trimOperations(place, 't', newest);
    expect(operations.every(({ type, key }) => type === 'delete' && key[0] === 't')).toBe(true);
    return operations.map(({ key }) => Number(key[1]));
  };
  return { place, trimmed };
}

it('a log is looked through whenever it has grown over another 256 events, and only then', () => {
  const looked = Array.from({ length: 1025 }, (_, at) => at).filter((at) => isTrimmed(at, at + 1));
  expect(looked).toEqual([255, 511, 767, 1023]);
  expect([isTrimmed(255, 255), isTrimmed(100, 700), isTrimmed(256, 511)]).toEqual([
    false,
    true,
    false,
  ]);
});

it('lets go all but the newest that are to be kept, not one more and not one less', async () => {
  const { place, trimmed } = await openLog(20, 5);
  expect(await readNewest(place, 't')).toBe(20);
  expect(await readNewest(place, 'nobody')).toBe(0);
  expect(await trimmed(5)).toEqual([]);
  expect(await trimmed(6)).toEqual([1]);
  expect(await trimmed(20)).toEqual(Array.from({ length: 15 }, (_, at) => at + 1));
});

it('lets go 1,024 with one write at most, the oldest first', async () => {
  const { trimmed } = await openLog(1100, 10);
  expect(await trimmed(1100)).toEqual(Array.from({ length: 1024 }, (_, at) => at + 1));
});

it('a log that a purge has made holes in is trimmed all the same', async () => {
  const { place, trimmed } = await openLog(20, 5);
  const collection = collections.liveEvents.name;
  const holes = [1, 2, 7].map((number): WriteOperation => {
    return { type: 'delete', collection, key: liveKey('t', number) };
  });
  await place.backend.write(holes);
  expect((await trimmed(20)).at(0)).toBe(3);
  await place.backend.write(await trimOperations(place, 't', 20));
  expect(await trimmed(21)).toEqual([16]);
  expect(await readNewest(place, 'u')).toBe(20);
});

it('of a log that is empty nothing goes', async () => {
  const { trimmed } = await openLog(0, 5);
  expect(await trimmed(20)).toEqual([]);
});
