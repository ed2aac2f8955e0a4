import { CtxError } from '@ctx/core';
import type { SessionCompaction } from '@ctx/store';
import type { SessionWindow } from '@ctx/truncation';
import type { RewindReceipt } from '../context-manager/window-types.ts';

/** What an undo did. */
export interface UndoWindowReceipt {
  /** Number of the compaction that was undone. */
  readonly sequence: number;
  readonly rewind: RewindReceipt;
}

/** Events after which the view before a compaction is no longer the view without it. */
const changes = ['window-received', 'window-settled', 'window-compacted', 'window-rewound'];

function refuse({ sequence, messages }: SessionCompaction, eventType: string): CtxError {
  const before = String((messages?.event ?? 1) - 1);
  return new CtxError(
    'CTX_STORE_CONFLICT',
    `compaction ${String(sequence)} cannot be undone: what came into the window since (${eventType}) would leave the view with it; rewinding to event ${before} gives the view before it, without what came since`,
  );
}

/**
 * Undoes the newest compaction of a session's window: what it summed up is in view again, byte for byte.
 * Only where nothing came into the window since, so that nothing is lost; requests may have been made. Undone in the log
 * first, then in the record.
 * @throws `CTX_NOT_FOUND` where there is none; `CTX_STORE_CONFLICT` where something came since.
 */
export async function undoWindowCompaction(window: SessionWindow): Promise<UndoWindowReceipt> {
  const { store, sessionId } = window;
  const record = await store.compactions.newest(sessionId, 'window');
  if (record?.messages === undefined) {
    throw new CtxError('CTX_NOT_FOUND', `the window of session ${sessionId} has no compaction`);
  }
  const { event } = record.messages;
  for await (const { type } of store.events.read(sessionId, { from: event + 1 })) {
    if (changes.includes(type)) throw refuse(record, type);
  }
  const rewind = await window.rewind(event - 1);
  await store.compactions.rewrite({ ...record, state: 'undone', summary: '' });
  return { sequence: record.sequence, rewind };
}
