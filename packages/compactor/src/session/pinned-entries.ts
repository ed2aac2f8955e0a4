import { type HistoryEntry, speech } from '@ctx/store';
import { isUserEntry } from './cut-places.ts';

/** Where the user's messages stand in a history. Looks once at the ends. */
export interface UserPlaces {
  /** Index of the first; -1 where there is none. */
  readonly first: number;
  /** Index of the last; -1 where there is none. */
  readonly last: number;
}

function isSaid(entry: HistoryEntry): boolean {
  return isUserEntry(entry) && !speech.isHostMessage(entry.content);
}

/** Finds the first and the last message of the user; what a host wrote in their place is none. */
export function userPlaces(history: readonly HistoryEntry[]): UserPlaces {
  return { first: history.findIndex(isSaid), last: history.findLastIndex(isSaid) };
}

/**
 * The messages of the user that must stay word for word when all entries before `start` leave: the first one ever and the
 * current one, as far as they do not stay in the history anyway.
 * Pure; `before` is what an earlier cut has pinned, the first one first.
 */
export function pinnedAfter(
  history: readonly HistoryEntry[],
  {
    start,
    places,
    before,
  }: {
    readonly start: number;
    readonly places: UserPlaces;
    readonly before: readonly HistoryEntry[];
  },
): readonly HistoryEntry[] {
  const leaving = (index: number): HistoryEntry | undefined =>
    index !== -1 && index < start ? history[index] : undefined;
  const first = before[0] ?? leaving(places.first);
  const current = places.last === -1 ? before.at(-1) : leaving(places.last);
  if (first === undefined) return [];
  return current === undefined || current === first ? [first] : [first, current];
}
