import { CtxError } from '@ctx/core';
import { checkCollections, type StoreBackend } from '@ctx/store/backend';
import { markOf, type OpenState, openState } from './driver/open-state.ts';
import { closeConnection } from './driver/shared-connections.ts';
import { name, readsOn, supports, writesOn } from './sqlite-calls.ts';
import { checkOptions, type SqliteStoreOptions } from './sqlite-options.ts';
import { withWriteThread } from './thread/with-write-thread.ts';
import { eraseResidue } from './write/erase-residue.ts';

/**
 * Keeps records in one SQLite file, in tables that a person can read.
 * Contract: several backends, processes and threads may use one file.
 * Throws: `CTX_INVALID_INPUT` for options that make no sense.
 */
export function sqliteBackend(options: SqliteStoreOptions): StoreBackend {
  checkOptions(options);
  const backend = backendOf(options);
  const { writeThread = false, readOnly = false } = options;
  return writeThread === false || readOnly ? backend : withWriteThread(backend, options);
}

function backendOf(options: SqliteStoreOptions): StoreBackend {
  let phase: 'new' | 'opening' | 'open' | 'closed' = 'new';
  let state: OpenState | undefined;
  let opening: Promise<OpenState> | undefined;

  const opened = (): OpenState => {
    if (phase === 'open' && state !== undefined) return state;
    const reason = phase === 'closed' ? 'is closed' : 'is not open yet';
    throw new CtxError('CTX_STORE_CLOSED', `the store ${options.path} ${reason}`);
  };

  return {
    contract: 1,
    name,
    supports,
    ...readsOn(opened),
    ...writesOn(opened, options),
    async open(collections, openOptions = {}) {
      if (phase === 'closed') opened();
      if (phase !== 'new') throw new CtxError('CTX_INVALID_INPUT', 'the store is open already');
      checkCollections(collections);
      phase = 'opening';
      opening = openState(options, structuredClone(collections), { ...openOptions });
      try {
        state = await opening;
        phase = 'open';
        openOptions.onMark?.(() => (state === undefined ? undefined : markOf(state)));
      } catch (error) {
        phase = 'new';
        throw error;
      }
    },
    async close() {
      // An open that is under way ends first, so that it leaves nothing open.
      await opening?.catch(() => undefined);
      phase = 'closed';
      if (state === undefined) return;
      const { connection, definitions, stopLooking, stopTakingIn } = state;
      state = undefined;
      stopLooking();
      stopTakingIn();
      try {
        if (options.eraseOnClose === true && options.readOnly !== true) {
          await connection.run(() => eraseResidue(connection, [...definitions.values()]));
        }
      } finally {
        await closeConnection(connection);
      }
    },
  };
}
