import { CtxError } from '@ctx/core';
import type { CheckpointSummary, FlashSaveReceipt } from '@ctx/store';
import type { ContextManager } from '../context-manager.ts';
import { closeWindow, forgetWindow, inManagerTurn, type Managing, open } from '../managing.ts';
import type { ManagerWindow } from '../open-manager-window.ts';
import type { ManagerFork } from './manager-checkpoints.ts';

type Moments = Pick<
  ContextManager,
  'compact' | 'flashSave' | 'checkpoint' | 'checkpoints' | 'restore' | 'why'
>;

/** What brings a session back to a moment is loaded when that is asked for. */
const moments = () => import('./manager-checkpoints.ts');

async function mustFind({ settings }: Managing, name: string): Promise<CheckpointSummary> {
  const { findMoment } = await moments();
  const found = await findMoment(settings, name);
  if (found !== undefined) return found;
  throw new CtxError('CTX_NOT_FOUND', `there is no checkpoint ${name}`);
}

function saving({ settings, hub }: Managing): (label?: string) => Promise<FlashSaveReceipt> {
  return async (label) => {
    const receipt = await (await moments()).saveMoment(settings, label);
    hub.tell('flash-saved', receipt);
    return receipt;
  };
}

/** Everything goes back; the window alone where only it knows the name. */
function restoring(managing: Managing): ContextManager['restore'] {
  const { settings, hub } = managing;
  return (name, { signal } = {}) =>
    inManagerTurn(
      managing,
      async () => {
        const { findMoment, restoreMoment } = await moments();
        const moment = await findMoment(settings, name);
        const receipt =
          moment === undefined
            ? await (await open(managing)).window.restore(name)
            : await closeWindow(managing).then(() => restoreMoment(settings, moment));
        // What the host holds is compared with the log as it is now.
        forgetWindow(managing);
        hub.tell('restored', receipt);
        return receipt;
      },
      signal,
    );
}

/** Moments of the session, and going back to them. */
export function managerMoments(managing: Managing): Moments {
  const { settings, hub } = managing;
  const save = saving(managing);
  const withWindow = <Result>(
    work: (opened: ManagerWindow) => Result | Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> => inManagerTurn(managing, async () => work(await open(managing)), signal);
  return {
    compact: (call) => withWindow(({ compaction }) => compaction?.compact(call)),
    flashSave: (label, { signal } = {}) => inManagerTurn(managing, () => save(label), signal),
    checkpoint: (name, { signal } = {}) =>
      withWindow(async ({ window }) => {
        const kept = await (await moments()).keepMoment(settings, window, name);
        hub.tell('checkpointed', kept);
        return kept;
      }, signal),
    checkpoints: () => withWindow(({ window }) => window.checkpoints()),
    restore: restoring(managing),
    why: () => withWindow(({ window }) => window.explain()),
  };
}

/** Begins another session from a moment of this one. */
export function forkManagerSession(
  managing: Managing,
  name: string,
  fork: ManagerFork,
): Promise<void> {
  return inManagerTurn(managing, async () => {
    const { forkMoment } = await moments();
    await forkMoment(managing.settings, await mustFind(managing, name), fork);
  });
}
