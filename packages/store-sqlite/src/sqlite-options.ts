import { CtxError } from '@ctx/core';
import type { Durability } from './driver/connection.ts';
import type { SqliteDriver, SqliteDriverName } from './driver/sqlite-driver.ts';

/** Where the store lies and how safe a write is. */
export interface SqliteStoreOptions {
  /** The database file. It and its folder are made, private to their owner, where they are missing. */
  readonly path: string;
  /** Default: node:sqlite where Node has it (22.13), else @photostructure/sqlite. */
  readonly driver?: SqliteDriverName | SqliteDriver;
  /** What an acknowledged write outlives: the death of the process (default) or a power cut, at a quarter of the speed. */
  readonly durability?: Durability;
  /** How long a call waits for another process before `CTX_STORE_BUSY`, ms. Default 5000. */
  readonly busyTimeoutMs?: number;
  /**
   * Takes the last bytes of deleted records out of file, log and backups when the store is closed. Default false: they are
   * zeroed in place, but fragments may stay in free pages. Takes time and room of the whole file. While another process reads
   * the file, the log keeps them until a later close.
   */
  readonly eraseOnClose?: boolean;
  /**
   * Opens a store that cannot be written, such as one on a read-only disk, and leaves no file beside it. Default false. Writes end
   * with `CTX_STORE_READ_ONLY`; so does an open where a log lies beside the file or an older ctx made it. Nobody may write the file
   * meanwhile. Records of an older ctx whose words were not taken in yet are not found by a search, which `onUnsearched` tells.
   */
  readonly readOnly?: boolean;
  /**
   * Has writes and searches done on a thread of their own, for servers: what the caller's thread does for a write is then less than half,
   * and it reads while they are done. Default false. A URL tells where the program of the thread,
   * `dist/thread/write-thread.js`, lies in a bundle. Writes stay where they are, with a warning, where the thread cannot be started. It costs a second connection, a heap, and a tenth of a millisecond for a write that is alone.
   */
  readonly writeThread?: boolean | URL;
}

/** @throws `CTX_INVALID_OPTION` for options that make no sense. */
export function checkOptions(options: SqliteStoreOptions): void {
  // JavaScript can leave the options out.
  const { path, durability, busyTimeoutMs = 0 } = Object(options) as SqliteStoreOptions;
  const given: unknown = path;
  if (typeof given !== 'string' || given === '' || given.includes('\u0000')) {
    throw new CtxError('CTX_INVALID_OPTION', "path must name a file, as in { path: 'ctx.db' }");
  }
  if (durability !== undefined && !['process', 'power'].includes(durability)) {
    throw new CtxError('CTX_INVALID_OPTION', 'durability must be process or power');
  }
  if (!(busyTimeoutMs >= 0)) {
    throw new CtxError('CTX_INVALID_OPTION', 'busyTimeoutMs must be a number from 0');
  }
  checkThread(options);
}

function checkThread({ driver, writeThread = false }: SqliteStoreOptions): void {
  if (writeThread === false || typeof driver !== 'function') return;
  const message = 'writeThread needs a driver by its name: a function cannot be handed to a thread';
  throw new CtxError('CTX_INVALID_OPTION', message);
}
