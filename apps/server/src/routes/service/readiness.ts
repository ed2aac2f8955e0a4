import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isCtxError } from '@ctx/core';
import type { TenantStores } from '../../tenants/open-tenants.ts';

/** One thing that a server needs to work. */
export interface ReadinessCheck {
  readonly name: string;
  readonly isOk: boolean;
  readonly code?: string;
}

/** What is looked at. */
export interface ReadinessOptions {
  readonly stores: Pick<TenantStores, 'probe' | 'store'>;
  /** File or folder whose disk must have room; left out, the disk is not looked at. */
  readonly storePath?: string | undefined;
  readonly minFreeBytes: number;
  /** How long the store may take, ms: one that answers later is as good as gone. */
  readonly patienceMs: number;
}

/** What a work gives, or `undefined` where it takes longer than that. */
export async function inTime<T>(work: Promise<T>, patienceMs: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function checked(
  name: string,
  patienceMs: number,
  work: Promise<boolean>,
): Promise<ReadinessCheck> {
  try {
    const isOk = await inTime(work, patienceMs);
    return isOk === undefined ? { name, isOk: false, code: 'TOO_LATE' } : { name, isOk };
  } catch (error) {
    return { name, isOk: false, code: isCtxError(error) ? error.code : 'UNEXPECTED' };
  }
}

/** Free room for those who may not use the reserve of the system. */
async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path).catch(() => statfs(dirname(path)));
  return bavail * bsize;
}

/** Lets calls that come while one is under way share its answer. */
function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () =>
    (running ??= work().finally(() => {
      running = undefined;
    }));
}

/**
 * Looks whether store, collections and disk can be worked with.
 * Answers within `patienceMs`, also where the store hangs; however many ask, one write is under way at a time.
 */
export function readinessChecks({
  stores,
  storePath,
  minFreeBytes,
  patienceMs,
}: ReadinessOptions): () => Promise<ReadinessCheck[]> {
  const takesWrites = shared(async () => {
    await stores.probe();
    return true;
  });
  // A backend makes what its collections need as it is opened; a store that opens is up to date.
  const isUpToDate = shared(async () => {
    await stores.store('default');
    return true;
  });
  const hasRoom = shared(
    async () => storePath === undefined || (await freeBytes(storePath)) >= minFreeBytes,
  );
  return () =>
    Promise.all([
      checked('store takes writes', patienceMs, takesWrites()),
      checked('collections are up to date', patienceMs, isUpToDate()),
      checked('disk has room', patienceMs, hasRoom()),
    ]);
}
