import { fieldOf, type JsonRecord, textAt } from '../../values.ts';

/** The entries of a pi session, as far as a compaction needs them. */
export interface PiTree {
  readonly add: (record: JsonRecord) => void;
  /** Ids of the entries that a compaction keeps in view: from the first kept one up to the compaction itself. */
  readonly keptBy: (compaction: JsonRecord) => readonly string[];
}

/** Starts with the first entry of a file. Holds two ids per entry. */
export function startPiTree(): PiTree {
  const parents = new Map<string, string | undefined>();
  return {
    add: (record) => {
      const id = textAt(record, 'id');
      if (id !== undefined && fieldOf(record, 'type') !== 'session') {
        parents.set(id, textAt(record, 'parentId'));
      }
    },
    keptBy: (compaction) => {
      const first = textAt(compaction, 'firstKeptEntryId');
      const kept = new Set<string>();
      let id = first === undefined ? undefined : textAt(compaction, 'parentId');
      while (id !== undefined && parents.has(id) && !kept.has(id)) {
        kept.add(id);
        if (id === first) return [...kept].reverse();
        id = parents.get(id);
      }
      return [];
    },
  };
}
