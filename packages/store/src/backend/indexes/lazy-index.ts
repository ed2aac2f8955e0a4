import { compareValueLists } from '../compare-values.ts';
import { fieldValue, positionOf } from '../index-order.ts';
import type {
  CollectionDefinition,
  ColumnValue,
  IndexDefinition,
  StoredRecord,
} from '../store-backend.ts';
import { type Chunk, createSortedList, type SortedList } from './sorted-list.ts';

/** A record's stand in one index: the values of the fields, then the key. */
export interface IndexEntry<Stored extends StoredRecord> {
  readonly order: readonly ColumnValue[];
  readonly record: Stored;
}

/** An index that takes in what was written when it is read. */
export interface LateIndex<Stored extends StoredRecord> {
  /** Says that the record of a key is another one now; `old` is what it was. Takes an entry of a map. */
  note(key: string, old: Stored | undefined): void;
  /** The index as it is now. Takes a place for each record that changed since the last time, at most as many as may wait. */
  snapshot(): readonly Chunk<IndexEntry<Stored>>[];
}

/** Records that may wait for their place in an index: so many are put in at once, so that no read finds more of them. */
const mostWaiting = 512;

/** An index over records. */
export interface IndexedRecords<Stored extends StoredRecord> {
  readonly definition: CollectionDefinition;
  readonly index: IndexDefinition;
  readonly records: ReadonlyMap<string, Stored>;
}

function listFor<Stored extends StoredRecord>({
  definition,
  index,
}: Omit<IndexedRecords<Stored>, 'records'>): SortedList<IndexEntry<Stored>> {
  const sums = index.tally?.sums ?? [];
  return createSortedList<IndexEntry<Stored>>({
    compare: (left, right) => compareValueLists(left.order, right.order),
    measure: ({ record }) => sums.map((field) => Number(fieldValue(definition, record, field))),
  });
}

/** Makes an index. Most are written to much more often than they are read, and many places at once are found faster than one by one. */
export function createLateIndex<Stored extends StoredRecord>(
  indexed: IndexedRecords<Stored>,
): LateIndex<Stored> {
  const { definition, index, records } = indexed;
  const list = listFor<Stored>(indexed);
  /** What the list has of records that changed since, by key. */
  const waiting = new Map<string, Stored | undefined>();
  const entryOf = (record: Stored): IndexEntry<Stored> => {
    const { values, key } = positionOf(definition, index.name, record);
    return { order: [...values, ...key], record };
  };
  const takeIn = (): void => {
    const coming: IndexEntry<Stored>[] = [];
    for (const [key, old] of waiting) {
      const next = records.get(key);
      const before = old && entryOf(old);
      const after = next && entryOf(next);
      // Most changes of a record leave it where it stands.
      if (before && after && compareValueLists(before.order, after.order) === 0) {
        list.replace(after);
        continue;
      }
      if (before !== undefined) list.remove(before);
      if (after !== undefined) coming.push(after);
    }
    waiting.clear();
    list.insertAll(coming);
  };
  return {
    note(key, old) {
      if (waiting.has(key)) return;
      waiting.set(key, old);
      if (waiting.size > mostWaiting) takeIn();
    },
    snapshot() {
      if (waiting.size > 0) takeIn();
      return list.snapshot();
    },
  };
}
