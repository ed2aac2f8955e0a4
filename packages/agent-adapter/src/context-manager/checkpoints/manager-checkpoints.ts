import { CtxError } from '@ctx/core';
import {
  type CheckpointSummary,
  type ContextStore,
  type FlashSaveReceipt,
  type RestoreReceipt,
  retryOnConflict,
} from '@ctx/store';
import { forkCheckpoint, restoreCheckpoint, type SessionWindow } from '@ctx/truncation';
import type { ManagerSettings } from '../manager-settings.ts';
import { windowOptionsOf } from '../open-manager-window.ts';
import type { RewindReceipt, WindowCheckpoint } from '../window-types.ts';

/** A moment by name: of the window, of the session's document and of the agent's items. */
export interface ManagerCheckpoint extends WindowCheckpoint {
  readonly checkpointId: string;
}

/** What going back to a moment did. */
export interface ManagerRestored extends RewindReceipt {
  /**
   * What became of items and document, and the checkpoint that takes this back (`undo`). Missing for a moment that the window alone
   * has a name for.
   */
  readonly restored?: RestoreReceipt;
}

type Scope = Pick<ManagerSettings, 'store' | 'agentId' | 'sessionId'>;

/** Keeps a checkpoint of the agent's items and of the session, and archives what is cold. */
export async function saveMoment(
  { store, agentId, sessionId, flashSave: policy }: ManagerSettings,
  label?: string,
): Promise<FlashSaveReceipt> {
  await store.sessions.flush(sessionId);
  return store.checkpoints.flashSave({
    ...{ agentId, sessionId, trigger: 'manual' },
    ...(label === undefined ? {} : { label }),
    ...(policy === false ? {} : { policy }),
  });
}

/** Gives this moment a name, and keeps document and items with it. Reads the columns of the items, and makes a write that outlives a power cut. */
export async function keepMoment(
  { store, agentId, sessionId }: Scope,
  window: SessionWindow,
  name: string,
): Promise<ManagerCheckpoint> {
  await store.sessions.flush(sessionId);
  const moment = await window.checkpoint(name);
  const { checkpoint } = await retryOnConflict(async () => {
    const state = await store.checkpoints.read({ agentId, sessionId });
    return store.checkpoints.commit({ state, label: name, trigger: 'manual' });
  });
  return { ...moment, checkpointId: checkpoint.id };
}

async function labelled(
  { store, agentId, sessionId }: Scope,
  name: string,
): Promise<CheckpointSummary | undefined> {
  let after: string | undefined;
  do {
    const place = after === undefined ? {} : { after };
    const page = await store.checkpoints.list({ sessionId, ...place });
    const found = page.entries.find((each) => each.label === name && each.agentId === agentId);
    if (found !== undefined) return found;
    after = page.next;
  } while (after !== undefined);
  return undefined;
}

/** The checkpoint that a name means: the newest with this label, else the one with this id. Only of this agent and session. */
export async function findMoment(
  scope: Scope,
  name: string,
): Promise<CheckpointSummary | undefined> {
  const named = await labelled(scope, name);
  if (named !== undefined) return named;
  const found = await scope.store.checkpoints.get(name);
  const isOurs = found?.sessionId === scope.sessionId && found.agentId === scope.agentId;
  return isOurs ? found : undefined;
}

function isColdIn(payload: unknown): boolean {
  if (typeof payload !== 'object' || payload === null || !('event' in payload)) return false;
  const { event } = payload;
  return typeof event === 'object' && event !== null && 'isCold' in event && event.isCold === true;
}

/** Events that opening a window may write after the one that went back. */
const eventsBehind = 4;

/** The event that went back, and whether it says that the cache holds nothing of use. */
async function wayBack(
  store: ContextStore,
  { sessionId, next }: SessionWindow,
): Promise<{ readonly sequence: number; readonly isCold: boolean }> {
  let found = { sequence: next - 1, isCold: false };
  const from = Math.max(0, next - eventsBehind);
  for await (const { sequence, type, payload } of store.events.read(sessionId, { from })) {
    if (type.endsWith('rewound')) found = { sequence, isCold: isColdIn(payload) };
  }
  return found;
}

/**
 * Brings window, document and items back to a checkpoint, in one write. The window that was open has to be closed before.
 * @throws `CTX_NOT_FOUND`.
 */
export async function restoreMoment(
  settings: ManagerSettings,
  { id, eventSequence = 0 }: CheckpointSummary,
): Promise<ManagerRestored> {
  const { store } = settings;
  const options = windowOptionsOf(settings, { isHeld: false });
  const { receipt, windowTo, window } = await restoreCheckpoint(store, id, options);
  if (window === undefined) throw new CtxError('CTX_NOT_FOUND', 'this checkpoint has no session');
  const messages = window.view().length;
  await window.close();
  const last = window.next - 1;
  const there = { to: windowTo ?? Math.min(eventSequence, last), messages, restored: receipt };
  if (windowTo === undefined) return { ...there, sequence: last, leftEvents: 0, isCold: false };
  const { sequence, isCold } = await wayBack(store, window);
  return { ...there, sequence, isCold, leftEvents: sequence - 1 - windowTo };
}

/** Which session a fork begins. */
export interface ManagerFork {
  readonly sessionId: string;
  /** Default: the same agent. Another one gets copies of the items. */
  readonly agentId?: string;
}

/**
 * Begins a session from a checkpoint.
 * @throws `CTX_STORE_CONFLICT` where there is such a session already.
 */
export async function forkMoment(
  settings: ManagerSettings,
  { id }: CheckpointSummary,
  fork: ManagerFork,
): Promise<void> {
  const options = windowOptionsOf(settings, { isHeld: false });
  const { window } = await forkCheckpoint(settings.store, id, { ...fork, options });
  await window.close();
}
