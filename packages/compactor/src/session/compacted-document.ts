import {
  type HistoryEntry,
  type SessionDocument,
  sessionExtras,
  tidyDocument,
  trusts,
  withExtras,
} from '@ctx/store';
import { pinnedAfter, userPlaces } from './pinned-entries.ts';
import type { EntryPlace } from './shrink-history.ts';

/** A stub, and whose place it takes. */
export interface PlacedStub {
  readonly place: EntryPlace;
  readonly stub: HistoryEntry;
}

/** What is put into the document in place of what leaves. */
export interface CompactionParts {
  /** Entries before this place leave. */
  readonly start: number;
  /** The whole summary; `undefined` where it stays. */
  readonly summary: string | undefined;
  /** Entries that become stubs. */
  readonly stubs: readonly PlacedStub[];
  /** Rules of the user that left the history, now and before. */
  readonly rules: readonly string[];
  /** ms since the epoch; decides which tasks are due. */
  readonly now: number;
  readonly keepFinishedMs: number;
}

function withStubs(
  entries: readonly HistoryEntry[],
  stubs: readonly PlacedStub[],
  list: EntryPlace['list'],
): readonly HistoryEntry[] {
  const own = new Map(
    stubs.flatMap(({ place, stub }) => (place.list === list ? [[place.index, stub]] : [])),
  );
  return own.size === 0 ? entries : entries.map((entry, index) => own.get(index) ?? entry);
}

/**
 * The document after a compaction.
 * Pure; nothing leaves but entries before `start`, facts that another one says, and finished tasks that are due. The
 * summary has the least trust of all that went into it.
 */
export function compactedDocument(
  document: SessionDocument,
  { start, summary, stubs, rules, now, keepFinishedMs }: CompactionParts,
): SessionDocument {
  const extras = sessionExtras(document);
  const history = withStubs(document.recent_history, stubs, 'history');
  const before = withStubs(extras.pinned_history, stubs, 'pinned');
  const places = userPlaces(history);
  const pinned = start === 0 ? before : pinnedAfter(history, { start, places, before });
  const leaving = history.slice(0, start).map(({ role }) => trusts.ofSource(role));
  const known = document.long_term_summary === '' ? [] : [extras.summary_trust];
  const tidy = tidyDocument(document, now, { keepFinishedMs });
  const next = {
    ...tidy,
    recent_history: history.slice(start),
    long_term_summary: summary ?? document.long_term_summary,
  };
  const trust =
    summary === undefined ? {} : { summary_trust: trusts.least([...leaving, ...known]) };
  return withExtras(next, { pinned_history: pinned, constraints: rules, ...trust });
}
