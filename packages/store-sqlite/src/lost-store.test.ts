import {
  copyFileSync,
  existsSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadDriver } from './driver/driver.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { temporaryFolder } from './test-support/places.ts';

const call = { sessionId: 's', toolName: 'Bash', args: {}, result: 'kept' };

/** A store with one output, closed. */
async function filled(): Promise<string> {
  const path = join(temporaryFolder(), 'ctx.db');
  const store = await openSqliteStore({ path });
  await store.outputs.save(call);
  await store.close();
  return path;
}

async function countIn(path: string): Promise<number> {
  const store = await openSqliteStore({ path });
  const { outputs } = await store.outputs.tally();
  await store.close();
  return outputs;
}

test.each([false, true])(
  'a store that was emptied is refused with the reason (read only: %s)',
  async (readOnly) => {
    const path = await filled();
    truncateSync(path);
    for (let time = 0; time < 2; time += 1)
      await expect(openSqliteStore({ path, readOnly })).rejects.toThrow(
        /is empty, and held records before; it was left as it is/,
      );
    expect(statSync(path).size).toBe(0);
  },
);

test('a database without tables is refused where a store was', async () => {
  const path = await filled();
  const empty = join(temporaryFolder(), 'empty.db');
  const database = (await loadDriver())(empty);
  database.exec('VACUUM');
  database.close();
  copyFileSync(empty, path);
  await expect(openSqliteStore({ path })).rejects.toThrow('is empty, and held records before');
});

test('a log whose database is missing or empty is not thrown away', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const store = await openSqliteStore({ path });
  await store.outputs.save(call);
  const copy = join(temporaryFolder(), 'ctx.db');
  copyFileSync(`${path}-wal`, `${copy}-wal`);
  await store.close();
  await expect(openSqliteStore({ path: copy })).rejects.toThrow(/is missing, and its log/);
  expect(existsSync(copy)).toBe(false);
  expect(statSync(`${copy}-wal`).size).toBeGreaterThan(0);
});

test('a store that was deleted on purpose starts empty', async () => {
  const path = await filled();
  rmSync(path);
  expect(await countIn(path)).toBe(0);
  expect(readdirSync(join(path, '..')).sort()).toEqual(['ctx.db', 'ctx.db-mark']);
});

test('a copy and a backup that was brought back are opened', async () => {
  const path = await filled();
  const copy = join(temporaryFolder(), 'other.db');
  copyFileSync(path, copy);
  expect(await countIn(copy)).toBe(1);
  truncateSync(path);
  copyFileSync(copy, path);
  expect(await countIn(path)).toBe(1);
});

test('an empty file that never was a store becomes one', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  writeFileSync(path, '');
  expect(await countIn(path)).toBe(0);
});
