import type { ContextStore } from '@ctx/store';
import type { HistoryReceipt } from './agent-history.ts';

/** Which items of a history a run knows of, so that a compaction does not take what others added meanwhile. */
export interface ReadMarks {
  /** The history was read up to an item. The first reading after a write counts: that is what the model saw. */
  read(store: ContextStore, next: number): void;
  wrote(store: ContextStore, receipt: HistoryReceipt): void;
  /** Tells items apart that others added since; none where nothing was read. */
  isForeign(store: ContextStore): (sequence: number) => boolean;
}

interface Mark {
  /** Items from here on were not there when the run began; `undefined`: no run has begun. */
  readTo: number | undefined;
  /** What this session wrote itself: from, and up to but not with. */
  own: readonly (readonly [number, number])[];
}

/** Keeps one entry in memory for each write since the last reading. */
export function createReadMarks(): ReadMarks {
  const marks = new WeakMap<ContextStore, Mark>();
  const markOf = (store: ContextStore): Mark => {
    const known = marks.get(store) ?? { readTo: undefined, own: [] };
    marks.set(store, known);
    return known;
  };
  return {
    read: (store, next) => {
      const mark = markOf(store);
      if (mark.readTo === undefined) marks.set(store, { readTo: next, own: [] });
    },
    wrote: (store, { first, next }) => {
      const { readTo, own } = markOf(store);
      // A run stores its own at the end; the next one begins with a reading.
      marks.set(store, { readTo, own: [...own, [first, next]] });
    },
    isForeign: (store) => {
      const { readTo, own } = markOf(store);
      if (readTo === undefined) return () => false;
      return (sequence) =>
        sequence >= readTo && !own.some(([from, to]) => sequence >= from && sequence < to);
    },
  };
}
