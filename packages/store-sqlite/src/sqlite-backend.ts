import { backendLife, type StoreBackend } from '@ctx/store/backend';
import { markOf, type OpenState, openState } from './driver/open-state.ts';
import { closeConnection } from './driver/shared-connections.ts';
import { callsOn, name, supports } from './sqlite-calls.ts';
import { checkOptions, type SqliteStoreOptions } from './sqlite-options.ts';
import { withWriteThread } from './thread/with-write-thread.ts';
import { eraseResidue } from './write/erase-residue.ts';

/**
 * Keeps records in one SQLite file, in tables that a person can read.
 * Several backends, processes and threads may use one file.
 * @throws `CTX_INVALID_OPTION` for options that make no sense.
 */
export function sqliteBackend(options: SqliteStoreOptions): StoreBackend {
  checkOptions(options);
  const backend = backendOf(options);
  const { writeThread = false, readOnly = false } = options;
  return writeThread === false || readOnly ? backend : withWriteThread(backend, options);
}

function backendOf(options: SqliteStoreOptions): StoreBackend {
  const life = backendLife<OpenState>({
    name: `the store ${options.path}`,
    open: (collections, openOptions) => openState(options, collections, openOptions),
    close: async (state) => {
      if (state !== undefined) await closeState(state, options);
    },
  });
  return {
    contract: 1,
    name,
    supports,
    ...callsOn(life.opened, options),
    async open(collections, openOptions = {}) {
      await life.open(collections, openOptions);
      openOptions.onMark?.(() => (life.isClosed() ? undefined : markOf(life.opened())));
    },
    close: life.close,
  };
}

async function closeState(
  { connection, definitions, stopLooking, stopIndexing }: OpenState,
  { eraseOnClose = false, readOnly = false }: SqliteStoreOptions,
): Promise<void> {
  stopLooking();
  stopIndexing();
  try {
    if (!eraseOnClose || readOnly) return;
    await connection.run(() => eraseResidue(connection, [...definitions.values()]));
  } finally {
    await closeConnection(connection);
  }
}
