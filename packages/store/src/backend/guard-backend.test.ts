import { describe, expect, it } from 'vitest';
import { storeCollections } from '../collections/collections.ts';
import { guardBackend } from './guard-backend.ts';
import { memoryBackend } from './memory/memory-backend.ts';
import type { ScanQuery, StoreBackend } from './store-backend.ts';

const cause = new Error('wire cut');
const query: ScanQuery = { collection: 'items', index: 'key', equal: ['default'] };

async function drain(backend: StoreBackend): Promise<number> {
  let count = 0;
  for await (const _ of backend.scan(query)) count += 1;
  return count;
}

const broken = (change: Partial<StoreBackend>): StoreBackend =>
  guardBackend({ ...memoryBackend(), ...change });

describe('a guarded backend', () => {
  it('turns what a scan throws, at its first step or later, into a store error', async () => {
    const scan: StoreBackend['scan'] = async function* () {
      yield { key: ['default', 'a', 'b'], version: 1, columns: {}, body: '{}' };
      throw cause;
    };
    await expect(drain(broken({ scan }))).rejects.toMatchObject({ code: 'CTX_STORE_IO', cause });
  });

  it('turns what closing throws into a store error, and closes once', async () => {
    let closed = 0;
    const close = (): Promise<void> => {
      closed += 1;
      return Promise.reject(cause);
    };
    const backend = broken({ close });
    await expect(backend.close()).rejects.toMatchObject({ code: 'CTX_STORE_IO', cause });
    await backend.close();
    expect(closed).toBe(1);
  });

  it('refuses every call after close by itself, scans too', async () => {
    const inner = memoryBackend();
    const backend = guardBackend({ ...inner, close: () => Promise.resolve() });
    await backend.open(storeCollections);
    expect(await drain(backend)).toBe(0);
    await backend.close();
    const closed = { code: 'CTX_STORE_CLOSED' };
    await expect(drain(backend)).rejects.toMatchObject(closed);
    await expect(backend.write([])).rejects.toMatchObject(closed);
    await expect(backend.get('items', [])).rejects.toMatchObject(closed);
  });
});
