import {
  compactSession,
  planSessionCompaction,
  type SessionCompactionPolicy,
  type SessionCompactionReceipt,
  type Summarizer,
  summarizerOfSession,
} from '@ctx/compactor';
import type { IdSource } from '@ctx/core';
import type { ContextStore } from '@ctx/store';

/** How the document of a session is compacted. */
export interface CompactDocumentOptions {
  readonly store: ContextStore;
  readonly sessionId: string;
  readonly policy: Partial<SessionCompactionPolicy>;
  /** Default: lines for a short past, `extractive()` for a long one. */
  readonly summarizer?: Summarizer;
  readonly ids: IdSource;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Compacts the document of a session where its history is too long; `undefined` where nothing is due.
 * Costs one read of the document.
 * @throws `CTX_ABORTED`, the store's codes.
 */
export async function compactDocument({
  store,
  sessionId,
  policy,
  summarizer,
  ids,
  ...bounds
}: CompactDocumentOptions): Promise<SessionCompactionReceipt | undefined> {
  const session = await store.sessions.get(sessionId);
  if (session === undefined) return undefined;
  const { countTokens, clock } = store;
  const plan = planSessionCompaction(session.document, { countTokens, now: clock(), policy });
  if (plan === undefined) return undefined;
  const given =
    summarizer === undefined ? {} : { summarizer: summarizerOfSession(summarizer, { ids }) };
  const { done } = await compactSession(store, sessionId, { policy, ...bounds, ...given });
  return done;
}
