import { undoSessionCompaction } from '@ctx/compactor';
import type { ContextStore } from '@ctx/store';
import { openSessionWindow } from '@ctx/truncation';
import { undoWindowCompaction } from './undo-window-compaction.ts';

/** What was undone. */
export interface UndoneCompaction {
  /** Number of the compaction. */
  readonly sequence: number;
  /** Entries that are in the history of the document again; missing for a compaction of the window. */
  readonly restored?: number;
}

async function undoInWindow(store: ContextStore, sessionId: string): Promise<UndoneCompaction> {
  const window = await openSessionWindow({ store, sessionId });
  try {
    return { sequence: (await undoWindowCompaction(window)).sequence };
  } finally {
    await window.close();
  }
}

/** See `undoNewestCompaction`, which loads this when it is first called. */
export async function undoNewest(
  store: ContextStore,
  sessionId: string,
): Promise<UndoneCompaction> {
  const ofDocument = await store.compactions.newest(sessionId);
  const ofWindow = await store.compactions.newest(sessionId, 'window');
  const isWindow = (ofWindow?.sequence ?? -1) > (ofDocument?.sequence ?? -1);
  if (isWindow) return undoInWindow(store, sessionId);
  const { sequence, restored } = await undoSessionCompaction(store, sessionId);
  return { sequence, restored };
}
