import { join } from 'node:path';
import { describeStoreBackend } from '@ctx/store/testing';
import { describe, it } from 'vitest';
import { loadDriver } from './driver/driver.ts';
import type { SqliteDriver } from './driver/sqlite-driver.ts';
import { sqliteBackend } from './sqlite-backend.ts';
import { writeThreadProgram } from './test-support/run-child.ts';

/** The driver as one that gives rows as objects alone, as `better-sqlite3` does. */
function objectDriver(driver: SqliteDriver): SqliteDriver {
  return (path) => {
    const database = driver(path);
    return {
      exec: (sql) => database.exec(sql),
      prepare: (sql) => {
        const statement = database.prepare(sql);
        return {
          run: (...values) => statement.run(...values),
          get: (...values) => statement.get(...values),
          all: (...values) => statement.all(...values),
          iterate: (...values) => statement.iterate(...values),
        };
      },
      close: () => database.close(),
    };
  };
}

const driver = objectDriver(await loadDriver());

describeStoreBackend({
  runner: { describe, it },
  title: 'store-sqlite over a driver without lists of values',
  create: ({ place }) => sqliteBackend({ path: join(place, 'ctx.db'), driver }),
});

const writeThread = await writeThreadProgram();

describeStoreBackend({
  runner: { describe, it },
  title: 'store-sqlite that writes on a thread',
  create: ({ place }) => sqliteBackend({ path: join(place, 'ctx.db'), writeThread }),
});
