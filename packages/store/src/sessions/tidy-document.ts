import { mergeFacts } from './facts.ts';
import type { SessionDocument } from './session-document.ts';
import { pruneTasks, type TaskPolicy } from './tasks.ts';

/**
 * Returns the document without facts that another one says and without finished tasks that are due at `now` (ms since the epoch): the
 * document itself if there are none.
 */
export function tidyDocument(
  document: SessionDocument,
  now: number,
  options: Partial<TaskPolicy> = {},
): SessionDocument {
  return pruneTasks(mergeFacts(document), now, options);
}
