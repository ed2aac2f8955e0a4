import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreBackend, WriteOperation } from '@ctx/store/backend';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fsBackend } from '../fs-backend.ts';
import { freshFolder } from '../test-support/folder.ts';
import { outputPut, testCollections } from '../test-support/records.ts';

/** What may happen to a folder that two stores have open. */
type Event =
  | { readonly what: 'write'; readonly by: number; readonly operations: readonly WriteOperation[] }
  | { readonly what: 'reopen'; readonly rebuilt: boolean };

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const sizes = [10, 2_000, 17_000];

const operation: fc.Arbitrary<WriteOperation> = fc
  .record({
    type: fc.constantFrom('put', 'put', 'put', 'delete'),
    id: fc.constantFrom(...ids),
    session: fc.constantFrom('s', 's', 's', 'other'),
    number: fc.nat(99),
    size: fc.constantFrom(...sizes),
  })
  .map(({ type, id, session, number, size }) => {
    const key = ['t', session, id];
    if (type === 'delete') return { type: 'delete', collection: 'outputs', key };
    return { ...outputPut(id, number, size), key };
  });

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('write' as const),
      by: fc.nat(1),
      operations: fc.array(operation, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('reopen' as const), rebuilt: fc.boolean() }),
  },
);

async function opened(path: string): Promise<StoreBackend> {
  const backend = fsBackend({ path, durability: 'process', segments: ['outputs'] });
  await backend.open(testCollections);
  return backend;
}

/** All records of both sessions: their names and texts. */
async function recordsOf(backend: StoreBackend): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const query = { collection: 'outputs', index: 'key', equal: ['t'] };
  for await (const { key, body } of backend.scan(query)) found.set(key.join('/'), body);
  return found;
}

function applyTo(model: Map<string, string>, operations: readonly WriteOperation[]): void {
  for (const one of operations) {
    const name = one.key.join('/');
    if (one.type === 'put') model.set(name, one.body);
    else model.delete(name);
  }
}

it('records are what was written last, whichever files they share, over reopens and rebuilds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 25 }), async (events) => {
      const folder = freshFolder();
      const model = new Map<string, string>();
      let stores = [await opened(folder), await opened(folder)];
      for (const one of events) {
        if (one.what === 'write') {
          await stores[one.by]?.write(one.operations);
          applyTo(model, one.operations);
          continue;
        }
        for (const store of stores) await store.close();
        if (one.rebuilt) rmSync(join(folder, '.index'), { recursive: true });
        stores = [await opened(folder), await opened(folder)];
      }
      const expected = [...model].sort();
      for (const store of stores) {
        expect([...(await recordsOf(store))].sort()).toEqual(expected);
        await store.close();
      }
      rmSync(join(folder, '.index'), { recursive: true });
      const last = await opened(folder);
      expect([...(await recordsOf(last))].sort()).toEqual(expected);
      await last.close();
    }),
    { numRuns: 60 },
  );
}, 120_000);
