import type { ContextStore } from '@ctx/store';

/**
 * Notes what a provider charged for a request, so that the session's `token_usage` counts it.
 * Kept in memory; written with the next batch of observations, at the latest when the store is closed.
 */
export function observeUsage(
  store: ContextStore,
  sessionId: string,
  usage: { readonly input: number; readonly output: number },
): void {
  store.sessions.observe(sessionId, { usage });
}
