import { existsSync, statfsSync } from 'node:fs';
import { CtxError } from '@ctx/core';
import { type Connection, createConnection } from './connection.ts';
import { checkWritable, prepareFile } from './prepare-file.ts';
import type { SqliteDatabase, SqliteDriver } from './sqlite-driver.ts';
import { storeError } from './store-errors.ts';

interface SharedConnection {
  readonly connection: Connection;
  readonly driver: string;
  users: number;
}

/** Open files of this process by true path. A second connection would only wait for the first. */
const shared = new Map<string, SharedConnection>();

/** What `openConnection` needs. */
export interface OpenConnectionOptions {
  readonly path: string;
  readonly driver: SqliteDriver;
  /** Two drivers are two SQLites, which must not open one file in one process. */
  readonly driverName: string;
  readonly busyTimeoutMs: number;
}

/** What SQLite needs at first for the file beside the log that processes share, with what the log needs for a small write, bytes. */
const firstRoom = 64 * 1024;

/** Whether a full disk has no room for that file, which does not exist yet. */
function lacksRoom(path: string): boolean {
  if (existsSync(`${path}-shm`)) return false;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize < firstRoom;
}

/**
 * Holds the file against all others until it is closed, and keeps in memory what processes share otherwise. It has to be asked for
 * before anything is read, and given back before the end: a driver that keeps its statements would keep the lock with them.
 */
function holdAlone(database: SqliteDatabase): SqliteDatabase {
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => database.prepare(sql),
    close: () => {
      try {
        database.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL');
        database.exec('SELECT count(*) FROM sqlite_schema');
      } finally {
        database.close();
      }
    },
  };
}

function connect(path: string, options: OpenConnectionOptions): Connection {
  checkWritable(path);
  try {
    const database = options.driver(path);
    const held = lacksRoom(path) ? holdAlone(database) : database;
    return createConnection(held, { path, busyTimeoutMs: options.busyTimeoutMs });
  } catch (error) {
    throw storeError(error, path);
  }
}

/** Opens a file, or joins whoever has it open in this process. */
export function openConnection(options: OpenConnectionOptions): Connection {
  const path = prepareFile(options.path);
  const known = shared.get(path);
  if (known !== undefined && known.driver !== options.driverName) {
    const message = `the store ${path} is open in this process with the driver ${known.driver}`;
    throw new CtxError('CTX_INVALID_INPUT', message);
  }
  const entry = known ?? {
    connection: connect(path, options),
    driver: options.driverName,
    users: 0,
  };
  entry.users++;
  shared.set(path, entry);
  return entry.connection;
}

/** Leaves the file; the last one closes it. One that is not shared is closed. */
export async function closeConnection(connection: Connection): Promise<void> {
  const entry = shared.get(connection.path);
  if (entry === undefined || entry.connection !== connection) {
    await connection.close();
    return;
  }
  entry.users--;
  if (entry.users > 0) {
    await connection.run(() => undefined);
    return;
  }
  shared.delete(connection.path);
  await connection.close();
}
