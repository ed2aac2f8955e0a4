import { join } from 'node:path';
import { parseStoreUrl, type StoreUrl } from '@ctx/agent-adapter/store';
import { sequenceIds } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';
import { createRedactor, type RedactionMode } from '@ctx/redact';
import type { LoadedSession } from '@ctx/replay';
import { type ContextStore, emptySessionDocument, openStore, type Session } from '@ctx/store';
import { tokenCounterFor } from '@ctx/tokens';
import { type HeldClaim, startClaimWait, takeClaim } from '@ctx/transcripts/import';
import type { CommandContext } from '../command-context.ts';
import { backendOf } from '../store/open-store-url.ts';

/** Which store a replay takes. */
export interface ReplayStoreFlags {
  readonly store?: string;
  readonly demo?: boolean;
}

/** Where the outputs go: memory unless a store is named; the demo's stay, so that they can be looked at. */
export async function replayStoreUrl(
  { host }: CommandContext,
  { store, demo }: ReplayStoreFlags,
): Promise<StoreUrl> {
  const { home, data } = await host.folders();
  const fallback = demo === true ? `sqlite:${join(data, 'demo.db')}` : 'memory:';
  return parseStoreUrl(store ?? fallback, { cwd: host.cwd, home });
}

/** Stands for the time of every output, ms: names of outputs hold it, and equal replays have equal names. */
const replayTime = 1_700_000_000_000;

/** Time between two signs of life, ms. */
const renewEvery = 10_000;

/** Tells that a replay is over: its session is free again. */
const endings = new WeakMap<ContextStore, () => Promise<void>>();

/**
 * Opens the store for one session, with exact token counts. Closing it also ends what `beginReplay` began.
 * Contract: the same session gets the same names for its outputs in every run, so that its figures are the same.
 */
export async function openReplayStore(
  url: StoreUrl,
  sessionId: string,
  mode: RedactionMode,
): Promise<ContextStore> {
  const opened = await openStore(await backendOf(url), {
    tokenCounter: tokenCounterFor(),
    redactor: createRedactor({ mode }),
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

/** Gives signs of life until the store is closed, then frees the session. */
function keepClaim(store: ContextStore, claim: HeldClaim): void {
  // A replay that lost its claim goes on; what cannot be written fails where it is written.
  const timer = setInterval(() => void claim.renew().catch(() => undefined), renewEvery);
  endings.set(store, async () => {
    clearInterval(timer);
    endings.delete(store);
    await claim.release().catch(() => undefined);
  });
}

/**
 * Begins the replay's own session: the same replay again starts clean. Where another process replays the same session into
 * this store, waits until that one is done.
 * Throws: `CTX_ABORTED`, and the codes of the store.
 */
export async function beginReplay(
  store: ContextStore,
  loaded: LoadedSession,
  signal: AbortSignal,
): Promise<string> {
  const id = `replay-${loaded.session.id}`;
  const others = startClaimWait({ signal });
  for (;;) {
    const before = await store.sessions.get(id);
    if (!(await others.isFree(before))) continue;
    const claim = await takeClaim(store, sessionFor(loaded, before));
    if (claim === undefined) continue;
    keepClaim(store, claim);
    await store.outputs.clear(id);
    return id;
  }
}
