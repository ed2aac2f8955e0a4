import { sequenceIds } from '@ctx/core';
import type { CompactWindow, PolicyContext } from './replay-policy.ts';

/** Starts the compaction of a replayed window. Equal sessions are compacted to equal bytes. */
export function compactionOf(
  window: Parameters<CompactWindow>[0],
  { compactWindow, countTokens }: Pick<PolicyContext, 'compactWindow' | 'countTokens'>,
  { whenItPays }: { readonly whenItPays: boolean },
): ReturnType<CompactWindow> {
  const ids = sequenceIds('replay-mark-');
  return compactWindow(window, { countTokens, whenItPays, ids, clock: () => 0, session: false });
}
