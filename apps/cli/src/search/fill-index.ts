import { CtxError } from '@ctx/core';
import type { StoreBackend } from '@ctx/store/backend';
import type { CommandContext } from '../command-context.ts';
import type { Progress } from '../terminal/progress.ts';
import { countText } from '../terminal/render.ts';

/** Records whose words are taken in at a time: about half a second, so that progress shows and Ctrl-C is heard. */
const step = 1_000;

/**
 * Takes the words of all records that wait into the index, step by step, and says how many are left. A search would do the same without
 * a word. Contract: whoever breaks it off loses nothing: what is left waits on.
 * Throws: `CTX_ABORTED` and the codes of the store.
 */
export async function fillIndex(
  { host }: Pick<CommandContext, 'host'>,
  backend: StoreBackend,
  progress: Progress,
): Promise<void> {
  if (backend.takeInWords === undefined) return;
  for (let left = await backend.takeInWords(step); left > 0; ) {
    if (host.signal.aborted) {
      throw new CtxError('CTX_ABORTED', 'the index is not full yet; the next search goes on');
    }
    progress.show(`indexing for search: ${countText(left)} records left`);
    left = await backend.takeInWords(step);
  }
  progress.clear();
}

/** So few records take no time worth saving, about half a second: a SQLite store takes them in at its close in any case. */
const fewRecords = 1_000;

/** As {@link fillIndex}, only where few records wait. Gives whether none waits now. */
export async function fillShortIndex(
  context: Pick<CommandContext, 'host'>,
  backend: StoreBackend,
  progress: Progress,
): Promise<boolean> {
  if (backend.takeInWords !== undefined && (await backend.takeInWords(1)) > fewRecords)
    return false;
  await fillIndex(context, backend, progress);
  return true;
}
