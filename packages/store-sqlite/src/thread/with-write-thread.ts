import { extname } from 'node:path';
import type { CollectionDefinition, SearchHit, StoreBackend } from '@ctx/store/backend';
import type { SqliteStoreOptions } from '../sqlite-options.ts';
import { startWriteThread, type WriteThread } from './start-write-thread.ts';

/** Finds the program beside the entry of the package, so that bundled programs find it, too, if the package is installed. */
function programOf({ writeThread }: SqliteStoreOptions): URL {
  if (writeThread instanceof URL) return writeThread;
  const entry = import.meta.resolve('@ctx/store-sqlite');
  return new URL(`./thread/write-thread${extname(entry)}`, entry);
}

/** Where the thread cannot be had, `undefined`: then writes stay on this one, and Node warns of it. */
async function threadFor(
  options: SqliteStoreOptions,
  collections: readonly CollectionDefinition[],
): Promise<WriteThread | undefined> {
  const own = { ...options, writeThread: false, eraseOnClose: false };
  try {
    return await startWriteThread(programOf(options), { options: own, collections });
  } catch (error) {
    const warning = `writes to ${options.path} stay on the thread of their caller: no thread could be started`;
    const detail = error instanceof Error ? error.message : String(error);
    process.emitWarning(warning, { code: 'CTX_NO_WRITE_THREAD', detail });
    return undefined;
  }
}

/**
 * Does the writes and searches of a backend on a thread, which has the same file open; everything else stays.
 * `backend` is one of `options`, which name no driver of the caller's own. What a call writes is seen by every read behind it.
 */
export function withWriteThread(backend: StoreBackend, options: SqliteStoreOptions): StoreBackend {
  let thread: WriteThread | undefined;
  let opening: Promise<void> | undefined;
  const running = (): WriteThread | undefined =>
    thread?.isRunning() === true ? thread : undefined;
  const open: StoreBackend['open'] = async (collections, openOptions = {}) => {
    const copy = structuredClone(collections);
    await backend.open(collections, openOptions);
    thread = await threadFor(options, copy);
  };
  return {
    ...backend,
    open: (collections, openOptions) => {
      const done = open(collections, openOptions);
      opening ??= done;
      return done;
    },
    write: async (operations, writeOptions) => {
      const call = { call: 'write', operations, options: writeOptions } as const;
      await (running()?.ask(call) ?? backend.write(operations, writeOptions));
    },
    search: async (query) => {
      const found = running()?.ask({ call: 'search', query }) ?? backend.search(query);
      // The thread answers what the same backend answers there.
      return (await found) as SearchHit[];
    },
    close: async () => {
      // An open that is under way ends first, so that it leaves nothing open.
      await opening?.catch(() => undefined);
      try {
        await thread?.end();
      } finally {
        await backend.close();
      }
    },
  };
}
