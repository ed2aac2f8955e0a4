import { CtxError } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import {
  restoreCounted,
  type RestoredEvent,
  type StoredEvent,
  storedEventOf,
} from './stored-event.ts';

/** An imported event as it came, and how the store keeps it. */
export interface ImportedEvent extends RestoredEvent {
  readonly stored: StoredEvent;
  /** As the log has it. */
  readonly tokens: number;
}

/**
 * Yields the events of an imported session one by one, results put back.
 *
 * @throws `CTX_ABORTED`; `CTX_STORE_CORRUPT` if an output is missing.
 */
export async function* importedEvents(
  store: ContextStore,
  sessionId: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<ImportedEvent, void, undefined> {
  for await (const { payload, tokens } of store.events.read(sessionId)) {
    if (signal?.aborted === true) {
      throw new CtxError('CTX_ABORTED', `reading the log of ${sessionId} was stopped`);
    }
    const stored = storedEventOf(payload);
    if (stored === undefined) continue;
    yield { ...(await restoreCounted(store, sessionId, stored)), stored, tokens };
  }
}
