import { join } from 'node:path';
import {
  type ContextStore,
  createRedactor,
  emptySessionDocument,
  openStore,
  type RedactionMode,
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

/** Opens it with exact token counts. */
export async function openReplayStore(url: StoreUrl, mode: RedactionMode): Promise<ContextStore> {
  const redactor = createRedactor({ mode });
  return openStore(await backendOf(url), { tokenCounter: tokenCounterFor(), redactor });
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
    document: emptySessionDocument(id),
  }));
  return id;
}
