import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sqliteBackend } from '../sqlite-backend.ts';
import { temporaryFolder } from '../test-support/places.ts';
import { papers, putPaper } from '../test-support/records.ts';
import { loadDriver, withoutSqliteWarning } from './driver.ts';
import type { SqliteDriver } from './sqlite-driver.ts';

test('every number arrives and comes back whole', async () => {
  const path = join(temporaryFolder(), 'n.db');
  writeFileSync(path, '');
  const database = (await loadDriver())(path);
  database.exec('CREATE TABLE numbers (n REAL)');
  const insert = database.prepare('INSERT INTO numbers VALUES (?)');
  const find = database.prepare('SELECT n FROM numbers WHERE n = ?');
  const tiny = fc.double({ min: 5e-324, max: 3e-16, noNaN: true });
  fc.assert(
    fc.property(fc.oneof(tiny, fc.double({ noNaN: true, noDefaultInfinity: true })), (number) => {
      insert.run(number);
      expect(find.get(number)?.['n']).toBe(number === 0 ? 0 : number);
    }),
    { numRuns: 500 },
  );
  database.close();
});

test('an unknown driver, or one that is not here, is named', async () => {
  const name = 'no-such-driver' as 'builtin';
  await expect(loadDriver(name)).rejects.toMatchObject({ code: 'CTX_INVALID_OPTION' });
});

test('built into Node from 22.13 on, refused by name before', async () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isBuiltIn = major > 22 || (major === 22 && minor >= 13);
  const outcome = await loadDriver('builtin').then(
    () => 'loaded',
    (error: unknown) => String(error),
  );
  expect(outcome).toContain(isBuiltIn ? 'loaded' : 'needs Node 22.13');
});

/** A driver that notes each statement that begins, ends or sets the level of a transaction. */
function notingDriver(driver: SqliteDriver, notes: string[]): SqliteDriver {
  const note = (sql: string): void => {
    if (/^(BEGIN|COMMIT|PRAGMA synchronous)/.test(sql)) notes.push(sql);
  };
  return (path) => {
    const database = driver(path);
    return {
      exec(sql) {
        note(sql);
        return database.exec(sql);
      },
      prepare(sql) {
        const statement = database.prepare(sql);
        return {
          ...statement,
          run(...values) {
            note(sql);
            return statement.run(...values);
          },
        };
      },
      close: () => database.close(),
    };
  };
}

const full = [
  'PRAGMA synchronous = FULL',
  'BEGIN IMMEDIATE',
  'COMMIT',
  'PRAGMA synchronous = NORMAL',
];

test.for<['process' | 'power' | undefined, 'process' | 'power' | undefined, string[]]>([
  [undefined, undefined, ['BEGIN IMMEDIATE', 'COMMIT']],
  [undefined, 'power', full],
  ['power', undefined, full],
  ['power', 'process', ['BEGIN IMMEDIATE', 'COMMIT']],
])('a store for %s writes for %s in such a transaction', async ([store, write, expected]) => {
  const notes: string[] = [];
  const driver = notingDriver(await loadDriver(), notes);
  const path = join(temporaryFolder(), 'ctx.db');
  const backend = sqliteBackend({
    path,
    driver,
    ...(store === undefined ? {} : { durability: store }),
  });
  await backend.open([papers]);
  notes.length = 0;
  await backend.write([putPaper('p')], write === undefined ? {} : { durability: write });
  expect(notes).toEqual(expected);
  await backend.close();
});

test('several records are read in one transaction, so that no commit of others comes between; one needs none', async () => {
  const notes: string[] = [];
  const driver = notingDriver(await loadDriver(), notes);
  const backend = sqliteBackend({ path: join(temporaryFolder(), 'ctx.db'), driver });
  await backend.open([papers]);
  const puts = [putPaper('p'), putPaper('q')];
  await backend.write(puts);
  notes.length = 0;
  const keys = puts.map(({ key }) => key);
  const found = await backend.get(papers.name, keys);
  expect(found.map((record) => record?.key)).toEqual(keys);
  expect(notes).toEqual(['BEGIN', 'COMMIT']);
  await backend.get(papers.name, keys.slice(0, 1));
  expect(notes).toHaveLength(2);
  await backend.close();
});

test('a second driver on a file that is open in this process is refused', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const first = sqliteBackend({ path });
  await first.open([papers]);
  const own: SqliteDriver = () => {
    throw new Error('never called');
  };
  await expect(sqliteBackend({ path, driver: own }).open([papers])).rejects.toMatchObject({
    code: 'CTX_INVALID_INPUT',
  });
  await first.close();
});

test('gives up on a file that another connection holds, by name and in time', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const backend = sqliteBackend({ path, busyTimeoutMs: 40 });
  await backend.open([papers]);
  const holder = (await loadDriver())(path);
  holder.exec('BEGIN IMMEDIATE');
  await expect(backend.write([putPaper('p')])).rejects.toMatchObject({ code: 'CTX_STORE_BUSY' });
  expect(await backend.get('papers', [['t', 's', 'p']])).toEqual([undefined]);
  holder.exec('ROLLBACK');
  await backend.write([putPaper('p')]);
  holder.close();
  await backend.close();
});

test.for([{ path: '' }, { path: 'a\u0000b' }, { path: 'x', busyTimeoutMs: Number.NaN }])(
  'refuses options %j before it touches anything',
  (options) => {
    expect(() => sqliteBackend(options)).toThrow(
      expect.objectContaining({ code: 'CTX_INVALID_OPTION' }),
    );
  },
);

test('the warning that node:sqlite is experimental is not shown, any other is', async () => {
  const shown: string[] = [];
  const listen = ({ message }: Error): void => {
    if (message.includes('SQLite') || message.includes('another')) shown.push(message);
  };
  process.on('warning', listen);
  const answer = withoutSqliteWarning(() => {
    process.emitWarning(
      'SQLite is an experimental feature and might change at any time',
      'ExperimentalWarning',
    );
    process.emitWarning('another feature', 'ExperimentalWarning');
    return 7;
  });
  process.emitWarning('SQLite is an experimental feature, said later', 'ExperimentalWarning');
  await new Promise(setImmediate);
  process.off('warning', listen);
  expect(answer).toBe(7);
  expect(shown).toEqual(['another feature', 'SQLite is an experimental feature, said later']);
});
