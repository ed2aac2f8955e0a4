import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import type { StoreBackend } from '@ctx/store/backend';
import { fsBackend } from '@ctx/store-fs';
import { sqliteBackend } from '@ctx/store-sqlite';

/**
 * Keeps what a killed process would have left: a copy of the folder with the store before each call that changes the disk, from
 * `begin` on. The copies are `<target>/1`, `<target>/2`, ….
 */
export interface Snapshots {
  readonly backend: StoreBackend;
  readonly begin: () => void;
}

type Call = (...given: unknown[]) => unknown;
type Driver = Exclude<NonNullable<Parameters<typeof sqliteBackend>[0]['driver']>, string>;

const changing = ['openSync', 'writeSync', 'linkSync', 'renameSync', 'unlinkSync', 'fsync'];

/** Copies the folder of `path`. While it does, calls of its own are let through. */
function copier(path: string, target: string): () => void {
  let number = 0;
  let isCopying = false;
  return () => {
    if (isCopying) return;
    isCopying = true;
    number += 1;
    fs.cpSync(dirname(path), join(target, String(number)), { recursive: true });
    isCopying = false;
  };
}

function beforeEach(table: Record<string, unknown>, names: readonly string[], act: () => void) {
  for (const name of names) {
    const original = table[name] as Call;
    table[name] = (...given: unknown[]) => {
      act();
      return original.apply(table, given);
    };
  }
}

/** The driver that ctx takes by itself, with `act` before each statement that may write. */
function watchedDriver(act: () => void): Driver {
  const require = createRequire(import.meta.resolve('@ctx/store-sqlite'));
  const { DatabaseSync } = require('@photostructure/sqlite') as {
    DatabaseSync: new (path: string) => ReturnType<Driver>;
  };
  return (path) => {
    const database = new DatabaseSync(path);
    return {
      exec: (sql) => {
        act();
        return database.exec(sql);
      },
      prepare: (sql) => {
        const statement = database.prepare(sql);
        return {
          run: (...values) => {
            act();
            return statement.run(...values);
          },
          get: (...values) => statement.get(...values),
          all: (...values) => statement.all(...values),
          iterate: (...values) => statement.iterate(...values),
        };
      },
      close: () => {
        act();
        return database.close();
      },
    };
  };
}

/** A backend of this kind on `path` that leaves copies in `target`. */
export function snapshots(kind: string, path: string, target: string): Snapshots {
  const copy = copier(path, target);
  let hasBegun = false;
  const act = (): void => {
    if (hasBegun) copy();
  };
  if (kind !== 'fs') {
    const backend = sqliteBackend({ path, driver: watchedDriver(act) });
    const begin = (): void => {
      hasBegun = true;
    };
    return { backend, begin };
  }
  const begin = (): void => {
    hasBegun = true;
    beforeEach(fs, changing, act);
    syncBuiltinESMExports();
  };
  return { backend: fsBackend({ path }), begin };
}
