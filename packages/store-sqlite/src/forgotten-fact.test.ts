import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStore } from './open-sqlite-store.ts';
import { countInFiles, temporaryFolder } from './test-support/places.ts';

const secret = 'zanzibarquux';
const text = `My word is ${secret}`;

/** What is left of the word in the files of a store that is closed. */
async function countAfter(
  work: (store: Awaited<ReturnType<typeof openSqliteStore>>) => Promise<unknown>,
): Promise<number> {
  const folder = temporaryFolder();
  const store = await openSqliteStore({ path: join(folder, 'ctx.db') });
  for (let at = 0; at < 20; at += 1) await store.facts.remember({ text: `Fact ${at} of twenty` });
  await store.facts.remember({ text });
  await work(store);
  expect(await store.facts.recall({ query: 'twenty', limit: 30 })).toHaveLength(20);
  await store.close();
  return countInFiles(folder, secret);
}

test('a fact that is kept stands in the file', async () => {
  expect(await countAfter(async () => undefined)).toBeGreaterThan(0);
});

test('a forgotten fact leaves no byte in the file, nor in its index of words', async () => {
  expect(await countAfter((store) => store.facts.forget({ text }))).toBe(0);
});

test('nor does one that is forgotten after another, learned again and forgotten again', async () => {
  const count = await countAfter(async (store) => {
    await store.facts.remember({ text: 'Another word' });
    await store.facts.forget({ text: 'Another word' });
    await store.facts.forget({ text });
    await store.facts.remember({ text });
    await store.facts.forget({ text });
  });
  expect(count).toBe(0);
});

test('nor one whose place another had taken before', async () => {
  const count = await countAfter(async (store) => {
    await store.facts.remember({ text: 'My word is new', supersedes: text });
    await store.facts.forget({ text: 'My word is new' });
    await store.facts.forget({ text });
  });
  expect(count).toBe(0);
});
