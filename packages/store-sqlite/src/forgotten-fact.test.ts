import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadDriver } from './driver/driver.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { countInFiles, temporaryFolder } from './test-support/places.ts';
import { bundleChild, endOf, startChild } from './test-support/run-child.ts';

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

describe('a process that is killed after the delete of a fact, before its words are erased', () => {
  /** Leaves such a store in a folder. */
  async function cutOff(): Promise<{ readonly folder: string; readonly path: string }> {
    const folder = temporaryFolder();
    const path = join(folder, 'ctx.db');
    const store = await openSqliteStore({ path });
    for (let at = 0; at < 20; at += 1) await store.facts.remember({ text: `Fact ${at} of twenty` });
    await store.facts.remember({ text });
    await store.close();
    const { code, output } = await endOf(startChild(program, [path, text]));
    expect([code, output]).toEqual([null, '']);
    return { folder, path };
  }

  let program = '';
  beforeAll(async () => {
    program = await bundleChild('forget-and-die');
  });

  test('leaves the words, but not the fact', async () => {
    const { folder } = await cutOff();
    expect(countInFiles(folder, secret)).toBeGreaterThan(0);
  });

  test('leaves no byte of them to the next open', async () => {
    const { folder, path } = await cutOff();
    const store = await openSqliteStore({ path });
    expect(await store.facts.get(text)).toBe(undefined);
    expect(await store.facts.recall({ query: 'twenty', limit: 30 })).toHaveLength(20);
    await store.close();
    expect(countInFiles(folder, secret)).toBe(0);
  });

  test('leaves none to one who had the store open, and forgets another fact', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'ctx.db');
    const store = await openSqliteStore({ path });
    for (const one of [text, 'Another word']) await store.facts.remember({ text: one });
    const { code } = await endOf(startChild(program, [path, text]));
    expect(code).toBe(null);
    await store.facts.forget({ text: 'Another word' });
    await store.close();
    expect(countInFiles(folder, secret)).toBe(0);
  });

  test('is finished once: later opens find nothing to do', async () => {
    const { path } = await cutOff();
    for (let time = 0; time < 2; time += 1) await (await openSqliteStore({ path })).close();
    const database = (await loadDriver(undefined))(path);
    const left = database.prepare("SELECT count(*) AS n FROM ctx$$meta WHERE name LIKE 'erase:%'");
    expect(Number(left.get()?.['n'])).toBe(0);
    database.close();
  });
});
