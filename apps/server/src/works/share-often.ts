import type { TenantStores } from '../tenants/open-tenants.ts';
import type { SharedWork } from '../tenants/share-works.ts';

/** Is told what this server did of a work. */
export type WorkListener = (work: SharedWork) => void;

/**
 * Looks now and then for purges and retention that have not ended, whoever began them, and works on them together with all other
 * servers of the store. Every process may do so; there is no leader. Gives how to stop: it resolves when nothing of it is under way.
 */
export function shareOften(
  stores: TenantStores,
  everyMs: number,
  onWork: WorkListener,
): () => Promise<void> {
  if (everyMs === 0) return () => Promise.resolve();
  let isStopping = false;
  let working: Promise<void> | undefined;
  const work = async (): Promise<void> => {
    const shared = await stores.shareWorks(() => isStopping);
    for (const one of shared) onWork(one);
  };
  const timer = setInterval(() => {
    // What cannot be done now is done at the next look.
    working ??= work()
      .catch(() => undefined)
      .finally(() => {
        working = undefined;
      });
  }, everyMs);
  timer.unref();
  return async () => {
    isStopping = true;
    clearInterval(timer);
    await working;
  };
}
