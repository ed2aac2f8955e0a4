import { realpathSync } from 'node:fs';
import { CtxError } from '@ctx/core';
import type { CollectionDefinition } from '@ctx/store/backend';
import { createKnownFolders } from '../files/checked-folders.ts';
import { readError } from '../files/system-errors.ts';
import {
  advance,
  type IndexPlace,
  type JournalState,
  openIndex,
  rebuildInMemory,
} from '../journal/journal-state.ts';
import { bootId } from '../lock/lock-owner.ts';
import { committedToken, type LockToken, markOf } from '../lock/store-lock.ts';
import { checkIsNoFile, checkIsStore, knownKeyLengths } from '../lock/store-mark.ts';
import { checkNotEmptied } from '../recover/check-emptied.ts';
import type { FsStoreSettings } from '../store-options.ts';
import type { StoreState } from './store-state.ts';

/** How often the index is looked for anew while others replace it. */
const loadTries = 20;

function findRoot({ path }: FsStoreSettings): string {
  try {
    const root = realpathSync(path);
    checkIsNoFile(root);
    checkIsStore(root);
    return root;
  } catch (error) {
    throw readError(error, path);
  }
}

/** Whether the journal holds all that the files hold: after a power cut it may not. */
function isTrusted({ isClosed, boot }: JournalState): boolean {
  return isClosed || (boot !== '' && boot === bootId());
}

/** The index that is committed, or one made from the files where there is none to be trusted. */
async function loadIndex(place: IndexPlace): Promise<{ token: LockToken; state: JournalState }> {
  for (let attempt = 1; ; attempt++) {
    const token = committedToken(place.root);
    const state = await openIndex(place, token);
    checkNotEmptied(place.root, state, knownKeyLengths(place.root, place.definitions));
    if (state !== undefined && isTrusted(state)) return { token, state };
    state?.journal?.close();
    const isReplaced = committedToken(place.root).generation !== token.generation;
    if (!isReplaced || attempt === loadTries)
      return { token, state: await rebuildInMemory(place, token) };
  }
}

/** @throws `CTX_STORE_READ_ONLY`. */
async function refuseTurn(): Promise<never> {
  throw new CtxError('CTX_STORE_READ_ONLY', 'the store was opened to be read only');
}

/**
 * Opens a folder that this process does not write: without the lock, and without ending what killed writers left. What others
 * commit meanwhile is seen.
 * Costs as much as reading the journal; if that is missing or cannot be trusted, as much as reading every record.
 * @throws `CTX_INVALID_INPUT` for a folder that is no store; `CTX_STORE_IO` where it cannot be read.
 */
export async function openReadOnlyState(
  settings: FsStoreSettings,
  definitions: readonly CollectionDefinition[],
): Promise<StoreState> {
  const root = findRoot(settings);
  const place: IndexPlace = { root, settings, definitions };
  let { token, state } = await loadIndex(place);
  const follow = async (): Promise<void> => {
    const latest = committedToken(root);
    if (latest.name === token.name) return;
    const isSame = state.journal?.generation === latest.generation;
    if (isSame && advance(state, latest.length)) {
      token = latest;
      return;
    }
    const before = state;
    ({ token, state } = await loadIndex(place));
    before.journal?.close();
  };
  let following = Promise.resolve();
  return {
    root,
    isReadOnly: true,
    folders: createKnownFolders(root),
    locked: refuseTurn,
    present: () => state.index,
    mark: () => markOf(committedToken(root)),
    async refresh() {
      following = following.catch(() => undefined).then(follow);
      await following;
      return state.index;
    },
    async close() {
      await following.catch(() => undefined);
      state.journal?.close();
    },
  };
}
