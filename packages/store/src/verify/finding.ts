import type { RecordKey, StoredRecord, WriteOperation } from '../backend/store-backend.ts';

/** What may be wrong in a store. */
export type FindingKind =
  | 'damaged-file'
  | 'broken-record'
  | 'wrong-checksum'
  | 'dangling-pointer'
  | 'wrong-count'
  | 'gap'
  | 'not-found-by-search'
  | 'unfinished-purge'
  | 'orphan';

/** How something is put right: taken out of the store and kept beside it, corrected, or removed because nothing names it. */
export type RepairHow = 'quarantined' | 'mended' | 'removed';

/** What putting it right would write. Plain, so that it can be shown before it is done. */
export interface Repair {
  readonly how: RepairHow;
  readonly operations: readonly WriteOperation[];
  /** What is kept beside the store first. */
  readonly keep: readonly StoredRecord[];
}

/** Something wrong with one record. */
export interface Finding {
  readonly kind: FindingKind;
  readonly collection: string;
  /** The whole key; its first part is the tenant. */
  readonly key: RecordKey;
  /** What is wrong, without the content. */
  readonly what: string;
  /** Missing where nothing can be done but to bring the data back from elsewhere. */
  readonly repair?: Repair;
}

/** A pointer whose target was deleted, let go by retention or purged: expected, and told. */
export interface GoneNote {
  readonly gone: 'result of a log' | 'content of a checkpoint';
  readonly key: RecordKey;
}

/** What a check gives, one by one. */
export type Found = Finding | GoneNote;

/** Takes a record out of the store. */
export function quarantineOf(collection: string, record: StoredRecord): Repair {
  const { key, version } = record;
  return {
    how: 'quarantined',
    keep: [record],
    operations: [{ type: 'delete', collection, key, expectVersion: version }],
  };
}

/** Removes a record that nothing names. */
export function removalOf(collection: string, { key, version }: StoredRecord): Repair {
  return {
    how: 'removed',
    keep: [],
    operations: [{ type: 'delete', collection, key, expectVersion: version }],
  };
}
