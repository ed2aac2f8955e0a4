import { CtxError } from '@ctx/core';
import type { ContextStore } from '@ctx/store';

/**
 * Refuses what is no open store: a proxy whose store fails passes requests on, and would never say so to a caller without types.
 * @throws `CTX_INVALID_OPTION`
 */
export function checkStore(store: Partial<ContextStore> | null | undefined): void {
  if (typeof store?.events?.append === 'function') return;
  throw new CtxError('CTX_INVALID_OPTION', `store must be an open store, got ${typeof store}`);
}

/**
 * Refuses what is no proxy, as {@link checkStore} does: else the first request of a caller without types would fail instead.
 * @throws `CTX_INVALID_OPTION`
 */
export function checkProxy(proxy: { readonly exchange?: unknown } | null | undefined): void {
  if (typeof proxy?.exchange === 'function') return;
  throw new CtxError(
    'CTX_INVALID_OPTION',
    `proxy must be what createProxy() returns, got ${typeof proxy}`,
  );
}
