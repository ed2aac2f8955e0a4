import { join } from 'node:path';
import {
  type ContextStore,
  createRedactor,
  emptySessionDocument,
  fingerprintText,
  openStore,
  type RedactionMode,
  sequenceIds,
} from '@ctx/core';
import { tokenCounterFor } from '@ctx/tokens';
import type { CommandContext } from '../command-context.ts';
import { backendOf } from '../open-store-url.ts';
import { parseStoreUrl, type StoreUrl } from '../store-url.ts';
import type { LoadedSession } from './load-sessions.ts';

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

/**
 * Opens the store for one session, with exact token counts.
 * Contract: the same session gets the same names for its outputs in every run, so that its figures are the same.
 */
export async function openReplayStore(
  url: StoreUrl,
  sessionId: string,
  mode: RedactionMode,
): Promise<ContextStore> {
  return openStore(await backendOf(url), {
    tokenCounter: tokenCounterFor(),
    redactor: createRedactor({ mode }),
    clock: () => replayTime,
    ids: sequenceIds(`${fingerprintText(sessionId).slice(0, 12)}-`),
  });
}

/** Begins the replay's own session: it never mixes with an imported one, and the same replay again starts clean. */
export async function beginReplay(
  store: ContextStore,
  { session, file }: LoadedSession,
): Promise<string> {
  const id = `replay-${session.id}`;
  await store.outputs.clear(id);
  await store.sessions.update(id, (before) => ({
    ...before,
    title: `replay of ${session.id}`,
    source: file,
    updatedAt: Date.now(),
    document: emptySessionDocument(id),
  }));
  return id;
}
