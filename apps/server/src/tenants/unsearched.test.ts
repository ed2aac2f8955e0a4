import { readBackTools } from '@ctx/agent-adapter';
import { memoryBackend, type OpenOptions, wrapBackend } from '@ctx/store/backend';
import { expect, onTestFinished, test } from 'vitest';
import { openTenants } from './open-tenants.ts';

test('the store of each tenant knows how many old records no search finds yet, and its search says so', async () => {
  const inner = memoryBackend();
  let tell: OpenOptions['onUnsearched'];
  const backend = wrapBackend(inner, {
    open: async (collections, options) => {
      await inner.open(collections, options);
      tell = options?.onUnsearched;
      tell?.(3);
    },
  });
  const tenants = await openTenants(backend);
  onTestFinished(() => tenants.close());
  const [one, two] = [await tenants.store('one'), await tenants.store('two')];
  expect([one.unsearched(), two.unsearched()]).toEqual([3, 3]);
  const [, search] = readBackTools(one);
  expect(await search.execute({ query: 'zebra' })).toBe(
    'No stored output holds these words.\n3 older records cannot be searched whole yet: search again later.',
  );
  tell?.(0);
  expect([one.unsearched(), two.unsearched()]).toEqual([0, 0]);
  expect(await search.execute({ query: 'zebra' })).toBe('No stored output holds these words.');
});
