import { setTimeout as pause } from 'node:timers/promises';
import { CtxError, randomIds } from '@ctx/core';
import { countText } from '@ctx/core/encoding';
import { type ContextStore, purges, type WorkPlace } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import type { CommandContext } from '../command-context.ts';
import { startProgress } from '../terminal/progress.ts';

/** An open store, and what it stands on. */
export interface OpenedStore {
  readonly backend: StoreBackend;
  readonly store: ContextStore;
}

/** How often it is looked whether what others claimed is done, ms. */
const lookMs = 100;

/** This process as a worker on an open store. */
export function workerOn({ backend, store }: OpenedStore): WorkPlace {
  return { backend, tenant: store.tenant, clock: store.clock, worker: randomIds()() };
}

/** How much of a purge is done, by whomever. */
async function doneText(place: WorkPlace, purgeId: string): Promise<string> {
  const all = (await purges.read(place, purgeId))?.records ?? 0;
  const { records: left } = await purges.progress(place, purgeId);
  return `${countText(all - left)} of ${countText(all)}`;
}

function stopped(done: string): CtxError {
  return new CtxError(
    'CTX_ABORTED',
    `the purge stopped after ${done}; \`ctx purge --resume\` goes on, and so does any server over this store`,
  );
}

/** Shows on a terminal how far it is; of several batches of one moment the last need not be shown. */
function shownProgress(context: CommandContext, tell: () => Promise<string>) {
  const progress = startProgress(context);
  let isAsking = false;
  return {
    onBatch: (): void => {
      if (isAsking || !context.host.err.isTty) return;
      isAsking = true;
      void tell()
        .then((text) => {
          progress.show(`destroying: ${text}`);
        })
        .catch(() => undefined)
        .finally(() => {
          isAsking = false;
        });
    },
    clear: progress.clear,
  };
}

/**
 * Works on a purge until nothing of it is left, together with whoever else does. Gives what this process did of it.
 * @throws `CTX_ABORTED` between two batches, and the codes of the store.
 */
export async function workOff(
  context: CommandContext,
  place: WorkPlace,
  purgeId: string,
): Promise<Pick<Awaited<ReturnType<typeof purges.work>>, 'records' | 'batches'>> {
  const { signal } = context.host;
  const { onBatch, clear } = shownProgress(context, () => doneText(place, purgeId));
  const options = { shouldStop: () => signal.aborted, onBatch };
  let records = 0;
  let batches = 0;
  try {
    for (;;) {
      const done = await purges.work(place, purgeId, options);
      records += done.records;
      batches += done.batches;
      if (done.state === 'ended') return { records, batches };
      if (signal.aborted) throw stopped(await doneText(place, purgeId));
      await pause(lookMs);
    }
  } finally {
    clear();
  }
}
