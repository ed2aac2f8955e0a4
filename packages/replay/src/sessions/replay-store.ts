import { sequenceIds } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';
import {
  type ContextStore,
  emptySessionDocument,
  type OpenStoreOptions,
  openStore,
  type Session,
} from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { tokenCounterFor } from '@ctx/tokens';
import { holdSession } from '@ctx/transcripts/import';
import type { LoadedSession } from './load-sessions.ts';

/** Stands for the time of every output, ms: names of outputs hold it, and equal replays have equal names. */
const replayTime = 1_700_000_000_000;

/** Tells that a replay is over: its session is free again. */
const endings = new WeakMap<ContextStore, () => Promise<void>>();

/**
 * Opens the store for one session, with exact token counts. Closing it also ends what `beginReplay` began.
 * The same session gets the same names for its outputs in every run, so that its figures are the same.
 */
export async function openReplayStore(
  backend: StoreBackend,
  sessionId: string,
  redactor?: OpenStoreOptions['redactor'],
): Promise<ContextStore> {
  const opened = await openStore(backend, {
    tokenCounter: tokenCounterFor(),
    ...(redactor === undefined ? {} : { redactor }),
    clock: () => replayTime,
    ids: sequenceIds(`${fingerprintText(sessionId).slice(0, 12)}-`),
  });
  const store: ContextStore = {
    ...opened,
    close: async () => {
      await endings.get(store)?.();
      await opened.close();
    },
  };
  return store;
}

/** A replay's own session: it never mixes with an imported one. */
function sessionFor({ session, file }: LoadedSession, before: Session | undefined): Session {
  const id = `replay-${session.id}`;
  return {
    version: 0,
    createdAt: replayTime,
    ...before,
    id,
    title: `replay of ${session.id}`,
    source: file,
    updatedAt: Date.now(),
    document: emptySessionDocument(id),
  };
}

/**
 * Begins the replay's own session: the same replay again starts clean. Where another process replays the same session into
 * this store, waits until that one is done.
 * @throws `CTX_ABORTED`, and the codes of the store.
 */
export async function beginReplay(
  store: ContextStore,
  loaded: LoadedSession,
  signal: AbortSignal,
): Promise<string> {
  const id = `replay-${loaded.session.id}`;
  const begin = (before: Session | undefined): Session => sessionFor(loaded, before);
  const release = await holdSession(store, id, { begin, signal });
  endings.set(store, async () => {
    endings.delete(store);
    await release();
  });
  await store.outputs.clear(id);
  return id;
}
