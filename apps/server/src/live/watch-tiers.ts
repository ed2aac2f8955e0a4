import type { ServerContext } from '../app.ts';

/**
 * Tells who watches, every now and then, which items fell to a lower tier because time passed. Returns how to stop.
 * Costs nothing without watchers, else two index ranges for each agent of the tenants that are watched.
 */
export function watchTiers({
  stores,
  hub,
  limits: { liveTiersMs },
}: Pick<ServerContext, 'stores' | 'hub' | 'limits'>): () => void {
  if (liveTiersMs <= 0) return () => undefined;
  const look = async (): Promise<void> => {
    for (const tenant of hub.watched()) {
      // Half: the clocks of two processes never tick at the same moment.
      await stores.tellTierChanges(tenant, liveTiersMs / 2);
    }
  };
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    // What cannot be told now is told at the next look.
    looking ??= look()
      .catch(() => undefined)
      .finally(() => {
        looking = undefined;
      });
  }, liveTiersMs);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
