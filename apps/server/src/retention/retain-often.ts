import type { RetentionPolicy } from '@ctx/store';
import type { TenantStores } from '../tenants/open-tenants.ts';

/** What may stay, and how often it is looked at. */
export interface ServerRetention {
  readonly policy: RetentionPolicy;
  /** ms. Default one hour. */
  readonly everyMs?: number;
}

const usualEveryMs = 3_600_000;

async function retainAll(stores: TenantStores, policy: RetentionPolicy, everyMs: number) {
  let after: string | undefined;
  do {
    const page = await stores.tenants(after === undefined ? {} : { after });
    // Somewhat less: the clocks of two processes never tick at the same moment.
    for (const tenant of page.entries) await stores.retainOutputs(tenant, policy, everyMs * 0.9);
    after = page.next;
  } while (after !== undefined);
}

/**
 * Lets the outputs of all tenants go that are beyond the limits, every now and then. Every process may do so: for each tenant one of
 * them works at a time. Returns how to stop.
 */
export function retainOften(
  stores: TenantStores,
  retention: ServerRetention | undefined,
): () => void {
  if (retention === undefined) return () => undefined;
  const { policy, everyMs = usualEveryMs } = retention;
  let working: Promise<void> | undefined;
  const timer = setInterval(() => {
    // What cannot go now goes at the next look.
    working ??= retainAll(stores, policy, everyMs)
      .catch(() => undefined)
      .finally(() => {
        working = undefined;
      });
  }, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
