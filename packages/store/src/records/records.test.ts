import { describe, expect, it } from 'vitest';
import { createMemoryPlace, memoryBackend } from '../backend/memory/memory-backend.ts';
import { memorySpacesCollection } from '../collections/adapter-collections.ts';
import { sessionsCollection } from '../collections/collections.ts';
import { openStore } from '../open-store.ts';

const columns = { files: 1, bytes: 2, changes: 3, changed_at: 4 };

describe('the records of adapters', () => {
  it('are written and read, for each tenant its own', async () => {
    const place = createMemoryPlace();
    const ours = await openStore(memoryBackend({ place }), { tenant: 'ours' });
    const theirs = await openStore(memoryBackend({ place }), { tenant: 'theirs' });
    const spaces = ours.records.collection(memorySpacesCollection);
    await ours.records.write([spaces.put({ key: ['a'], columns, body: '{}' })]);
    expect((await spaces.get(['a']))?.columns).toEqual(columns);
    expect(await theirs.records.collection(memorySpacesCollection).get(['a'])).toBeUndefined();
  });

  it('are written all or not at all', async () => {
    const { records } = await openStore(memoryBackend());
    const spaces = records.collection(memorySpacesCollection);
    const puts = ['a', 'b'].map((name) => spaces.put({ key: [name], columns, body: '{}' }));
    const writing = records.write([...puts, spaces.check({ key: ['c'], expectVersion: 1 })]);
    await expect(writing).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
    expect(await spaces.get(['a'])).toBeUndefined();
  });

  it('are no way into the collections of ctx', async () => {
    const { records } = await openStore(memoryBackend());
    const refused = { code: 'CTX_INVALID_INPUT' };
    expect(() => records.collection(sessionsCollection)).toThrow(/not one for adapters/);
    const operation = { type: 'delete', collection: 'sessions', key: ['default', 's'] } as const;
    await expect(records.write([operation])).rejects.toMatchObject(refused);
  });
});
