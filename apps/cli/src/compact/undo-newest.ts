import { undoWindowCompaction } from '@ctx/agent-adapter';
import { undoSessionCompaction } from '@ctx/compactor';
import { entryOf } from '@ctx/server/schemas';
import type { ContextStore } from '@ctx/store';
import { openSessionWindow } from '@ctx/truncation';
import type { CompactAnswer } from '../schemas/window/compact.ts';

/** Takes back what was done to the view of the session's log. */
async function undoneWindow(store: ContextStore, sessionId: string): Promise<number> {
  const window = await openSessionWindow({ store, sessionId });
  try {
    return (await undoWindowCompaction(window)).sequence;
  } finally {
    await window.close();
  }
}

/**
 * Takes the newest compaction of a session back, of its document or of its window; `entries` are those of the document.
 * Throws: `CTX_NOT_FOUND` where there is none, `CTX_STORE_CONFLICT` where it cannot be undone any more.
 */
export async function undoNewest(
  store: ContextStore,
  sessionId: string,
): Promise<Pick<CompactAnswer, 'entries' | 'compaction'>> {
  const { compactions } = store;
  const ofDocument = await compactions.newest(sessionId);
  const ofWindow = await compactions.newest(sessionId, 'window');
  const isWindow = (ofWindow?.sequence ?? -1) > (ofDocument?.sequence ?? -1);
  const { sequence, ...entries } = isWindow
    ? { sequence: await undoneWindow(store, sessionId) }
    : await undoneDocument(store, sessionId);
  const compaction = await compactions.get(sessionId, sequence);
  return {
    ...entries,
    ...(compaction === undefined ? {} : { compaction: entryOf.compaction(compaction) }),
  };
}

async function undoneDocument(
  store: ContextStore,
  sessionId: string,
): Promise<{ readonly sequence: number; readonly entries: number }> {
  const { sequence, restored } = await undoSessionCompaction(store, sessionId);
  return { sequence, entries: restored };
}
