import { lstat } from 'node:fs/promises';
import type { StoreUrl } from '@ctx/agent-adapter/store';
import { CtxError, isCtxError } from '@ctx/core';
import { type ContextStore, type OpenStoreOptions, openStore, storeCollections } from '@ctx/store';
import { memoryBackend, type StoreBackend } from '@ctx/store/backend';
import type { CliHost } from '../cli-host.ts';
import type { CommandContext, StoreFlags } from '../command-context.ts';
import { followUp } from '../follow-up.ts';
import { storeLocationOf } from './store-location.ts';

type BackendUse = Pick<StoreUse, 'eraseOnClose' | 'isTold'> & {
  /** Read what there is and write nothing. Default false. */
  readonly readOnly?: boolean;
  /** Write on a thread of its own, where the store can. Default false. */
  readonly writeThread?: boolean;
};

/** Makes the backend of a URL. Only the package that is needed is loaded. */
export async function backendOf(
  url: StoreUrl,
  use: Omit<BackendUse, 'isTold'> = {},
): Promise<StoreBackend> {
  const { eraseOnClose = false, readOnly = false, writeThread = false } = use;
  switch (url.scheme) {
    case 'memory':
      return memoryBackend();
    case 'sqlite': {
      const { sqliteBackend } = await import('@ctx/store-sqlite');
      return sqliteBackend({ path: url.path, eraseOnClose, readOnly, writeThread });
    }
    case 'fs': {
      const { fsBackend } = await import('@ctx/store-fs');
      return fsBackend({ path: url.path, readOnly });
    }
    case 'postgres': {
      const { postgresBackend } = await import('@ctx/store-postgres');
      return postgresBackend({ url: url.connection, eraseOnClose, readOnly });
    }
  }
}

/** Whether there is the log of a database that is missing: opening it tells. */
async function hasLog({ scheme, path }: StoreUrl): Promise<boolean> {
  if (scheme !== 'sqlite') return false;
  const log = await lstat(`${path}-wal`).catch(() => undefined);
  return log !== undefined && log.size > 0;
}

/** Whether there is a store already. A memory store never was there before. */
export async function storeExists(url: StoreUrl): Promise<boolean> {
  if (url.scheme === 'memory') return false;
  if (url.scheme === 'postgres') {
    const { postgresStoreExists } = await import('@ctx/store-postgres');
    return postgresStoreExists({ url: url.connection });
  }
  try {
    await lstat(url.path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return hasLog(url);
    throw new CtxError('CTX_STORE_IO', `${url.text} cannot be reached`, { cause: error });
  }
}

/** Throws `CTX_NOT_FOUND` where nothing was stored yet: who only reads makes no empty store. */
export async function checkStoreExists(url: StoreUrl, host: Pick<CliHost, 'env'>): Promise<void> {
  if (await storeExists(url)) return;
  throw new CtxError(
    'CTX_NOT_FOUND',
    `there is no store at ${url.text}; \`${followUp(host, ['import'])} <transcript>\` or \`${followUp(host, ['items', 'save'])} <text>\` makes one`,
  );
}

/** How a command uses its store. */
export interface StoreUse extends OpenStoreOptions {
  /** Make the store where it is missing. Default false: `CTX_NOT_FOUND`. */
  readonly create?: boolean;
  /** Leave no byte of what was deleted, at the cost of rewriting the file. Default false. */
  readonly eraseOnClose?: boolean;
  /**
   * Log what changes, as a server does, for who watches the store, or what changes while the function says so. Default true in
   * `withStore`, else false.
   */
  readonly isTold?: boolean | (() => boolean);
}

async function backendFor(
  url: StoreUrl,
  { isTold = false, ...use }: BackendUse,
): Promise<StoreBackend> {
  const backend = await backendOf(url, use);
  if (isTold === false) return backend;
  const { toldBackend } = await import('./live-backend.ts');
  return isTold === true ? toldBackend(backend) : toldBackend(backend, isTold);
}

/** An open store. */
export interface StoreInUse {
  readonly store: ContextStore;
  /** What it stands on; it is closed with the store. */
  readonly backend: StoreBackend;
  /** Whether it cannot be written: only what writes tells. */
  readonly isReadOnly: boolean;
}

async function openNew(backend: StoreBackend, options: OpenStoreOptions): Promise<StoreInUse> {
  return { store: await openStore(backend, options), backend, isReadOnly: false };
}

/** Opens a store that is there. One that cannot be written is read as it lies. */
export async function openExisting(
  url: StoreUrl,
  use: BackendUse = {},
  options: OpenStoreOptions = {},
): Promise<StoreInUse> {
  try {
    return await openNew(await backendFor(url, use), options);
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_READ_ONLY')) throw error;
    const backend = await backendOf(url, { readOnly: true });
    return { store: await openStore(backend, options), backend, isReadOnly: true };
  }
}

/** Opens the backend of a store that is only read; one that cannot be written is read as it lies. */
export async function openToRead(
  url: StoreUrl,
): Promise<{ readonly backend: StoreBackend; readonly isReadOnly: boolean }> {
  const backend = await backendOf(url);
  try {
    await backend.open(storeCollections);
    return { backend, isReadOnly: false };
  } catch (error) {
    await backend.close().catch(() => undefined); // The first error is the one that tells.
    if (!isCtxError(error, 'CTX_STORE_READ_ONLY')) throw error;
  }
  const reading = await backendOf(url, { readOnly: true });
  await reading.open(storeCollections);
  return { backend: reading, isReadOnly: true };
}

/** A backend that is only read and not open yet, for what opens it itself. */
export async function readableBackend(url: StoreUrl): Promise<StoreBackend> {
  const { backend, isReadOnly } = await openToRead(url);
  await backend.close();
  return backendOf(url, { readOnly: isReadOnly });
}

/** Whether a store's own files may be written anew at the end of a command. Tables that others use are rewritten when that is asked for. */
export function erasesByItself({ scheme }: StoreUrl): boolean {
  return scheme !== 'postgres';
}

/** Closes a store, which takes out the last bytes. False where another process keeps the file from being written anew. */
export async function closeErased(store: ContextStore): Promise<boolean> {
  try {
    await store.close();
    return true;
  } catch (error) {
    if (isCtxError(error, 'CTX_STORE_BUSY')) return false;
    throw error;
  }
}

/** Throws `CTX_USAGE` for a store that ends with the command: an address into it would lead nowhere. */
export function checkDurable({ supports }: ContextStore, what: string): void {
  if (supports.durable) return;
  throw new CtxError('CTX_USAGE', `${what} has to be kept: name a store that lasts, not memory:`);
}

/** Opens the store that flags, environment and config name, and closes it whatever happens. */
export async function withStore<T>(
  context: CommandContext,
  flags: StoreFlags & { readonly use?: StoreUse },
  work: (store: ContextStore, url: StoreUrl, opened: StoreInUse) => Promise<T>,
): Promise<T> {
  const { url } = await storeLocationOf(context.host, flags.store);
  const {
    create = false,
    eraseOnClose: erase = false,
    isTold = true,
    ...options
  } = flags.use ?? {};
  const use = { eraseOnClose: erase && erasesByItself(url), isTold };
  if (!create) await checkStoreExists(url, context.host);
  const opened = create
    ? await openNew(await backendFor(url, use), options)
    : await openExisting(url, use, options);
  try {
    return await work(opened.store, url, opened);
  } finally {
    await opened.store.close();
  }
}
