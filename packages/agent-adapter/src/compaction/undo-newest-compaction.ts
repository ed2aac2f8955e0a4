import type { ContextStore } from '@ctx/store';
import type { UndoneCompaction } from './undo-newest.ts';

/**
 * Undoes the newest compaction of a session, of its document or of its window.
 *
 * @throws `CTX_NOT_FOUND` if there is none, `CTX_STORE_CONFLICT` if it cannot be undone any more.
 */
export async function undoNewestCompaction(
  store: ContextStore,
  sessionId: string,
): Promise<UndoneCompaction> {
  const { undoNewest } = await import('./undo-newest.ts');
  return undoNewest(store, sessionId);
}
