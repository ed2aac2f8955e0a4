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

/** Starts the thread. Returns `undefined` if it cannot start: writes then stay on the caller's thread, and Node emits a warning. */
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
 * Runs a backend's writes and searches on a thread that has the same file open; everything else stays on this one.
 * `options` are those of `backend`, without a driver of the caller's own. Every later read sees what a call wrote.
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
