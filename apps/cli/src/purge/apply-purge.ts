import { lstat } from 'node:fs/promises';
import { type ContextStore, CtxError, type StoreBackend } from '@ctx/core';
import type { StoreUrl } from '../store-url.ts';
import type { PurgeMark } from './purge-mark.ts';
import type { PurgePlan } from './purge-plan.ts';

const batchSize = 500;

/** How a purge runs. */
export interface PurgeOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, all: number) => void;
}

/**
 * Does what a plan says, in batches; each outlives a power cut.
 * Contract: cut off it can be planned and done again: what is gone is gone, the record of a session goes last. Call it within
 * {@link marked}, so that somebody will.
 * Throws: `CTX_ABORTED` between two batches, and the codes of the store.
 */
export async function applyPurge(
  { backend, store }: { readonly backend: StoreBackend; readonly store: ContextStore },
  { checkpoints, items, operations }: PurgePlan,
  { signal, onProgress }: PurgeOptions = {},
): Promise<void> {
  const all = checkpoints.length + items.length + operations.length;
  let done = 0;
  const step = (count: number): void => {
    done += count;
    onProgress?.(done, all);
    if (signal?.aborted === true && done < all) {
      throw new CtxError(
        'CTX_ABORTED',
        `the purge stopped after ${String(done)} of ${String(all)}; \`ctx purge --resume\` goes on`,
      );
    }
  };
  for (const id of checkpoints) {
    await store.checkpoints.delete(id);
    step(1);
  }
  for (const [agentId, itemId] of items) {
    await store.items.delete(agentId, itemId);
    // Destroyed is destroyed: no checkpoint brings it back.
    await store.checkpoints.purge(agentId, itemId);
    step(1);
  }
  for (let from = 0; from < operations.length; from += batchSize) {
    const batch = operations.slice(from, from + batchSize);
    await backend.write(batch, { durability: 'power' });
    step(batch.length);
  }
}

/** Does `work` under a mark in the store that outlives a power cut, and stays where the work is cut off. */
export async function marked<T>(
  backend: StoreBackend,
  { begin, end }: PurgeMark,
  work: () => Promise<T>,
): Promise<T> {
  await backend.write([begin], { durability: 'power' });
  const done = await work();
  await backend.write([end], { durability: 'power' });
  return done;
}

/**
 * Whether a closed store holds no byte of what was deleted: while somebody else reads a SQLite file, its log does. Nobody here knows
 * of the log, the replicas and the backups of a server.
 */
export async function isTraceless({ scheme, path }: StoreUrl): Promise<boolean> {
  if (scheme !== 'sqlite') return scheme !== 'postgres';
  try {
    return (await lstat(`${path}-wal`)).size === 0;
  } catch {
    return true;
  }
}
