import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../test-support/places.ts';
import { createConnection } from './connection.ts';
import { loadDriver } from './driver.ts';

async function open() {
  const path = join(temporaryFolder(), 'ctx.db');
  const database = (await loadDriver())(path);
  return createConnection(database, { path, busyTimeoutMs: 100 });
}

it('reads at once where nothing waits, and behind earlier work where something does', async () => {
  const connection = await open();
  const order: string[] = [];
  const first = connection.read(() => order.push('read'));
  expect(order).toEqual(['read']);
  await first;
  const writing = connection.run(async () => {
    await Promise.resolve();
    order.push('written');
  });
  const reading = connection.read(() => order.push('read behind'));
  await Promise.all([writing, reading]);
  expect(order).toEqual(['read', 'written', 'read behind']);
  const again = connection.read(() => order.push('at once again'));
  expect(order.at(-1)).toBe('at once again');
  await again;
  await connection.close();
});

it('wraps what fails in a read, goes on behind it, and refuses once it is closed', async () => {
  const connection = await open();
  const failing = connection.read(() => connection.statement('SELECT nothing FROM nowhere').all());
  await expect(failing).rejects.toMatchObject({ name: 'CtxError' });
  expect(await connection.read(() => connection.statement('SELECT 1 AS one').get())).toEqual({
    one: 1,
  });
  await connection.close();
  await expect(connection.read(() => 1)).rejects.toMatchObject({ code: 'CTX_STORE_CLOSED' });
});

it('keeps a short log in a process of few transactions, which may end without closing, and a long one in others', async () => {
  const connection = await open();
  connection.execute('PRAGMA journal_mode = WAL; CREATE TABLE kept (bytes BLOB)');
  const megabyte = 2 ** 20;
  let longest = 0;
  const write = async (times: number): Promise<number> => {
    for (let at = 0; at < times; at += 1) {
      const add = () =>
        connection.statement('INSERT INTO kept VALUES (zeroblob(?))').run(megabyte / 4);
      await connection.run(() => connection.transaction('process', add));
      longest = Math.max(longest, statSync(`${connection.path}-wal`).size);
    }
    return longest;
  };
  expect(await write(15)).toBeLessThan(1.5 * megabyte);
  expect(await write(25)).toBeGreaterThan(4 * megabyte);
  await connection.close();
});
