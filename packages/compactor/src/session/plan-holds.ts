import type { HistoryEntry, SessionDocument } from '@ctx/store';
import { sessionExtras } from '@ctx/store';
import { cutPlaces } from './cut-places.ts';
import type { SessionCompactionPlan } from './plan-session-compaction.ts';

function isSameEntry(one: HistoryEntry, other: HistoryEntry | undefined): boolean {
  return (
    one.timestamp === other?.timestamp && one.role === other.role && one.content === other.content
  );
}

/** Whether a plan for `basis` still holds for a document that others have written since: they may have added, nothing else. */
export function planHolds(
  { start }: Pick<SessionCompactionPlan, 'start'>,
  basis: SessionDocument,
  now: SessionDocument,
): boolean {
  if (now === basis) return true;
  const isKnown = basis.recent_history.every((entry, index) =>
    isSameEntry(entry, now.recent_history[index]),
  );
  if (!isKnown || now.long_term_summary !== basis.long_term_summary) return false;
  const [before, after] = [basis, now].map((one) => sessionExtras(one).pinned_history);
  const isPinned = JSON.stringify(before) === JSON.stringify(after);
  // A late result may belong to a call that is to leave.
  return isPinned && cutPlaces(now.recent_history)[start] === true;
}
