import { CtxError } from '@ctx/core';
import { type Connection, createConnection } from './connection.ts';
import { checkWritable, prepareFile } from './prepare-file.ts';
import type { SqliteDriver } from './sqlite-driver.ts';
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

function connect(path: string, options: OpenConnectionOptions): Connection {
  checkWritable(path);
  try {
    return createConnection(options.driver(path), { path, busyTimeoutMs: options.busyTimeoutMs });
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
