import { join } from 'node:path';
import { parseStoreUrl, type StoreUrl } from '@ctx/agent-adapter/store';
import type { CommandContext } from '../command-context.ts';

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
