import { CtxError } from '@ctx/core';
import {
  type Checkpoint,
  type ContextStore,
  type ForkReceipt,
  type RestoreReceipt,
  retryOnConflict,
} from '@ctx/store';
import { foldEvents } from './log/fold-session.ts';
import { forkedEvents } from './log/fork-session.ts';
import { eventsTo, readLog, type StoredLog } from './log/read-log.ts';
import { rewoundEvent } from './log/rewound-event.ts';
import { readEvent, storedEvent } from './log/stored-event.ts';
import { openSessionWindow } from './open-session-window.ts';
import type { SessionWindow, SessionWindowOptions } from './session-window.ts';
import { windowOptions } from './window-options.ts';

/** How the window is opened that a restore or a fork gives. */
export type CheckpointWindowOptions = Omit<SessionWindowOptions, 'sessionId' | 'store'>;

/** What a restore brought back. */
export interface CheckpointRestored {
  readonly receipt: RestoreReceipt;
  /** The event of the log whose view is back; missing where the window did not have to move. */
  readonly windowTo?: number;
  /** The window of the session as it is now; missing where the checkpoint has no session. Close it when it is not needed. */
  readonly window?: SessionWindow;
}

/** Which session begins, and who works in it. */
export interface CheckpointFork {
  readonly sessionId: string;
  /** Default: the same agent. Another one gets copies of the items. */
  readonly agentId?: string;
}

async function mustGet(store: ContextStore, checkpointId: string): Promise<Checkpoint> {
  const checkpoint = await store.checkpoints.get(checkpointId);
  if (checkpoint !== undefined) return checkpoint;
  throw new CtxError('CTX_NOT_FOUND', `there is no checkpoint ${checkpointId}`);
}

/** The newest event of the window up to a place of the log, in which others may stand. */
function newestTo({ entries }: StoredLog, sequence: number | undefined): number | undefined {
  if (sequence === undefined) return undefined;
  return entries.findLast((entry) => entry.sequence <= sequence)?.sequence;
}

/** Whether the view is that of an event already: nothing came since, or the newest event goes back there. */
function isThere({ entries }: StoredLog, to: number): boolean {
  const newest = entries.at(-1);
  if (newest === undefined || newest.sequence === to) return true;
  const { event } = readEvent(newest);
  return event.type === 'rewound' && event.to === to;
}

/** The way back of the window to a checkpoint, as an event of its log. */
async function wayBack(
  store: ContextStore,
  { sessionId, eventSequence }: Checkpoint,
  options: CheckpointWindowOptions,
): Promise<Parameters<ContextStore['checkpoints']['restore']>[1] & { readonly to?: number }> {
  if (sessionId === undefined) return {};
  const log = await readLog(store, sessionId);
  const to = newestTo(log, eventSequence);
  if (to === undefined || isThere(log, to)) return {};
  const place = { store, sessionId };
  const window = windowOptions(store, options);
  const before = await foldEvents(place, eventsTo(log), window);
  const state = await foldEvents(place, eventsTo(log, to), window);
  const event = storedEvent(rewoundEvent(before, state, to));
  return { to, append: { sessionId, first: log.next, events: [event] } };
}

/**
 * Brings everything back to a checkpoint: the items, the session's document and the window, in one write.
 * All or nothing; restoring `receipt.undo` takes it back; a second time it changes nothing. A window of the session that
 * is open elsewhere has to be opened again.
 * Reads the log of the session, its results in view, and the items that are not archived.
 * @throws `CTX_NOT_FOUND`.
 */
export async function restoreCheckpoint(
  store: ContextStore,
  checkpointId: string,
  options: CheckpointWindowOptions = {},
): Promise<CheckpointRestored> {
  const checkpoint = await mustGet(store, checkpointId);
  const { sessionId } = checkpoint;
  if (sessionId !== undefined) await store.sessions.flush(sessionId);
  const done = await retryOnConflict(async () => {
    const { to, ...way } = await wayBack(store, checkpoint, options);
    const receipt = await store.checkpoints.restore(checkpointId, way);
    return { receipt, ...(to === undefined ? {} : { windowTo: to }) };
  });
  if (sessionId === undefined) return done;
  return { ...done, window: await openSessionWindow({ ...options, store, sessionId }) };
}

/**
 * Begins a session from a checkpoint: its document, its window and, for another agent, its items, in one write. What the window
 * shows of tool outputs stays in the outputs of the session it came from.
 * @throws `CTX_NOT_FOUND`; `CTX_STORE_CONFLICT` where there is such a session already; `CTX_INVALID_INPUT`.
 */
export async function forkCheckpoint(
  store: ContextStore,
  checkpointId: string,
  { options = {}, ...fork }: CheckpointFork & { readonly options?: CheckpointWindowOptions },
): Promise<{ readonly receipt: ForkReceipt; readonly window: SessionWindow }> {
  const checkpoint = await mustGet(store, checkpointId);
  const { sessionId, eventSequence } = checkpoint;
  const log = sessionId === undefined ? undefined : await readLog(store, sessionId);
  const to = log && newestTo(log, eventSequence);
  const events =
    log === undefined || sessionId === undefined || to === undefined
      ? []
      : forkedEvents({ store, sessionId }, log, to);
  const append = { sessionId: fork.sessionId, first: 0, events };
  const receipt = await store.checkpoints.fork(checkpointId, { ...fork, append });
  const window = await openSessionWindow({ ...options, store, sessionId: fork.sessionId });
  return { receipt, window };
}
