/**
 * The SPI: what the author of a storage backend writes. It knows nothing of sessions or tool outputs.
 * Callers never hold a backend; `openStore` wraps one into a `ContextStore`.
 */

/**
 * The parts of a record's key, in the order of `CollectionDefinition.key`. The first part is always the tenant.
 * A part is well-formed Unicode without U+0000, of at most 1,024 UTF-8 bytes (core sees to that), compared exactly: '' is
 * a part like any other; upper and lower case, NFC and NFD, and trailing spaces and dots make different keys.
 */
export type RecordKey = readonly string[];

/** A promoted value. Text is well-formed Unicode without U+0000; integers are safe; reals are finite; -0 is kept as 0. */
export type ColumnValue = string | number | null;

export type ColumnType = 'text' | 'integer' | 'real';

export interface ColumnDefinition {
  readonly type: ColumnType;
  /** Whether `null` is allowed. Default false. */
  readonly nullable?: boolean;
}

/**
 * An ordered index: a list of names of key parts or columns. Every index ends, unsaid, with the whole key, so that its
 * order is total. Order within one field: null first, then numbers by value, text by code point (which is UTF-8 byte order).
 * The first field is the tenant. `key` is no name for an index: every collection has that one already.
 */
export interface IndexDefinition {
  readonly name: string;
  readonly fields: readonly string[];
  /**
   * Present where tallies over ranges of the last field must not read every row: the backend may keep counts and the sums
   * of `sums` (integer columns) per bucket of `bucketWidth` of the last field (a real or integer, not nullable). A hint:
   * answers are exact either way. `floor(value / bucketWidth)` never falls as the value rises, so that buckets strictly between
   * those of two bounds lie inside of them; the buckets of the bounds themselves must be read.
   */
  readonly tally?: { readonly bucketWidth: number; readonly sums: readonly string[] };
  /**
   * A nullable column among the fields that every query of this index names in `equal`, with a value: other queries reject with
   * `CTX_INVALID_INPUT`. So the backend may leave records out in which it is null.
   */
  readonly notNull?: string;
}

/** A full-text field. `weight` multiplies its matches in the rank (BM25F). */
export interface SearchFieldDefinition {
  readonly name: string;
  readonly weight: number;
}

/**
 * Declares a collection: SQL backends make a table of it, the file backend a folder. Names that mean something to the backend
 * (`order`, `version`, `constructor`) are names like any other.
 */
export interface CollectionDefinition {
  /** `^[a-z][a-z_]{0,39}$` */
  readonly name: string;
  /** Names of the key's parts. `key[0]` is `tenant`. All are text. */
  readonly key: readonly [string, ...string[]];
  /** Promoted values by name, `^[a-z][a-z0-9_]{0,39}$`. */
  readonly columns: Readonly<Record<string, ColumnDefinition>>;
  readonly indexes: readonly IndexDefinition[];
  /** Empty where the collection is not searched. */
  readonly search: readonly SearchFieldDefinition[];
}

export interface StoredRecord {
  readonly key: RecordKey;
  /** 1 when created, one more with every put or patch. A record deleted and made again starts at 1. */
  readonly version: number;
  /** Every declared column, `null` where the writer gave none; of a scan that names `columns` those at least. */
  readonly columns: Readonly<Record<string, ColumnValue>>;
  /** JSON text exactly as given; '' where the query asked for columns only. */
  readonly body: string;
}

/** Creates or replaces a record as a whole. */
export interface PutOperation {
  readonly type: 'put';
  readonly collection: string;
  readonly key: RecordKey;
  /** Columns left out are null; one that is not nullable must be given. */
  readonly columns: Readonly<Record<string, ColumnValue>>;
  /** JSON text as `JSON.stringify` makes it. */
  readonly body: string;
  /**
   * Search words by field: words separated by single spaces, lower case, made of letters and digits only (core has split
   * and stemmed them). Fields left out hold none. Replaces all words the record had. Not checked by the backend. A search behind the
   * write finds them.
   */
  readonly words?: Readonly<Record<string, string>>;
  /** 0: must not exist. n: must have version n. Left out: whatever is there is replaced. */
  readonly expectVersion?: number;
}

/** Changes the columns given of a record that exists; the others, body and search words stay. A missing record is a conflict. */
export interface PatchOperation {
  readonly type: 'patch';
  readonly collection: string;
  readonly key: RecordKey;
  readonly columns: Readonly<Record<string, ColumnValue>>;
  readonly expectVersion?: number;
}

/** Removes a record. Removing what is missing is no error, unless a version over 0 was expected. */
export interface DeleteOperation {
  readonly type: 'delete';
  readonly collection: string;
  readonly key: RecordKey;
  readonly expectVersion?: number;
}

/** Changes nothing, but makes the whole write fail unless the record has this version (0: is missing). */
export interface CheckOperation {
  readonly type: 'check';
  readonly collection: string;
  readonly key: RecordKey;
  readonly expectVersion: number;
}

/** One step of a write. */
export type WriteOperation = PutOperation | PatchOperation | DeleteOperation | CheckOperation;

/** Which bytes a read needs. `columns` spares reading the bodies. */
export type RecordPart = 'whole' | 'columns';

/** A range of one field. Bounds of the field's type; left out means open. Null values lie outside of every range with a bound. */
export interface FieldRange {
  readonly from?: string | number;
  readonly fromExclusive?: boolean;
  readonly to?: string | number;
  readonly toExclusive?: boolean;
}

/**
 * A place in an index: the values of its fields (for the index `key`, the key's parts), then the key. A page goes on strictly
 * behind it (in the query's direction). The place need not hold a record.
 */
export interface ScanPosition {
  readonly values: readonly ColumnValue[];
  readonly key: RecordKey;
}

/**
 * Reads one declared index: the first fields equal `equal`, the next one lies in `range`. Both speak of declared fields only
 * (for `key`, of the key's parts): `equal` may name all of them, then there is no range.
 */
export interface ScanQuery {
  readonly collection: string;
  /** Name of a declared index, or `key` for the order of the key itself. */
  readonly index: string;
  /** Values of the first fields, at least the tenant. `null` matches null. */
  readonly equal: readonly ColumnValue[];
  /** On the field after those of `equal`. */
  readonly range?: FieldRange;
  readonly descending?: boolean;
  readonly after?: ScanPosition;
  /** At most so many records, from 0; left out means all. */
  readonly limit?: number;
  /** Default `whole`. */
  readonly part?: RecordPart;
  /**
   * The columns that will be looked at, by name. A hint: records hold these and those of the index, and may lack the others. Default:
   * all of them.
   */
  readonly columns?: readonly string[];
}

/** Counts and sums over the records a scan would give, without reading bodies. */
/** Reads the records of a scan as lists of values: for whoever needs few values of many records. */
export interface ListQuery
  extends Pick<ScanQuery, 'collection' | 'index' | 'equal' | 'range' | 'descending'> {
  /** The key parts and columns that are wanted. */
  readonly names: readonly string[];
  /** Records of a part, from 1. */
  readonly size: number;
}

/** Some records, one behind the other in the order of the scan. */
export interface RecordLists {
  readonly count: number;
  /** By name: the values as the JSON text of a list, which reads back to exactly these values. */
  readonly lists: Readonly<Record<string, string>>;
  /** The versions of the records, as such a text. */
  readonly versions: string;
}

export interface TallyQuery {
  readonly collection: string;
  readonly index: string;
  readonly equal: readonly ColumnValue[];
  readonly range?: FieldRange;
  /** Columns or key parts to group by; left out or empty means one group, given even if it counts nothing. */
  readonly groupBy?: readonly string[];
  /** Integer or real columns to add up; null adds nothing. */
  readonly sums?: readonly string[];
}

export interface Tally {
  /** Values of `groupBy`, in its order. Groups come sorted by them. */
  readonly group: readonly ColumnValue[];
  readonly count: number;
  /** In the order of `sums`. Exact for integers; for reals what is gone leaves no rounding behind (add them anew each time). */
  readonly sums: readonly number[];
}

export interface SearchQuery {
  readonly collection: string;
  /** Values of the first key parts, at least the tenant. */
  readonly equal: readonly string[];
  /**
   * Words as in `PutOperation.words`, compared exactly (`é` is not `e`); a record matches if it holds any of them. Repeated words
   * count once. A word that holds anything but lower-case letters and digits matches nothing; no words match nothing.
   */
  readonly words: readonly string[];
  /** A record matches only if it holds each of the words, in whichever fields. Default false. */
  readonly every?: boolean;
  /** From 0. */
  readonly limit: number;
}

export interface SearchHit {
  readonly key: RecordKey;
  /**
   * Finite; higher is better; comparable within one answer only. Grows with the number of words matched, their rarity, their
   * count in the record and the weight of the field, and falls with the record's length. Ties come in an
   * order of the backend's own, the same in each of two equal searches: a limit cuts off the end and changes nothing else.
   */
  readonly score: number;
}

/** What a backend promises. Each promise is tested by the conformance kit. */
export interface StoreSupport {
  /** What was acknowledged outlives the death of the process. */
  readonly durable: boolean;
  /** Several processes may open the same store at once without losing updates. */
  readonly sharedBetweenProcesses: boolean;
  /** `search` is offered. Where false it throws `CTX_STORE_UNSUPPORTED`. */
  readonly search: boolean;
  /** `OpenOptions.watch` is told of what others write. Default false: callers then look by themselves now and then. */
  readonly watch?: boolean;
  /** `StoreBackend.mark` is offered. Default false: callers then read anew each time. */
  readonly marks?: boolean;
  /** `StoreBackend.lists` is offered. Default false: callers then make lists of what a scan gives. */
  readonly lists?: boolean;
}

/**
 * Who waits for what other openings of the store write: other backends, in this process or another.
 * Contract: what they commit to the collection while `isOn` is told soon, but late or never where a connection is lost: whoever must not
 * miss anything looks now and then. More may be told than was written, such as one's own writes. Only backends that were opened
 * with a watch of the same collection must tell others of their writes.
 */
export interface WriteWatch {
  /** The collection whose records are waited for. */
  readonly collection: string;
  /** Whether somebody waits now. Asked often: a backend that has to look for writes does so only then. */
  readonly isOn: () => boolean;
  /** Others may have written records of this tenant, as keys hold it; of whichever where none is named. Does not throw. */
  readonly onWrite: (tenant?: string) => void;
}

/** What a backend may need beside the collections. */
export interface OpenOptions {
  /**
   * Is told how many records no search finds yet, whenever that changes: those of an older store whose words a backend takes in once
   * it is open, some at a time. Never told where there are none.
   */
  readonly onUnsearched?: (records: number) => void;
  /** Is told of what others write, until the backend is closed. Only where `supports.watch`; else it is told nothing. */
  readonly watch?: WriteWatch;
}

/** Records in the order of an index, step by step. */
export interface RecordScan extends AsyncIterable<StoredRecord> {
  /**
   * Gives all of them at once, each as `map` makes it: what the steps would give, for less time where they are few. Left out: they are
   * read step by step. Contract: what `map` throws is thrown as it is. Cost: holds what `map` gives, not the records.
   */
  readonly all?: <T>(map: (record: StoredRecord) => T) => Promise<T[]>;
}

/**
 * Storage for records in collections.
 * Contract: `open` first, once: a second call rejects with `CTX_INVALID_INPUT`. Before `open` and after `close` every call
 * rejects with `CTX_STORE_CLOSED`. Calls may overlap. Everything given out is the caller's own copy, and what was given may be
 * changed once the call has resolved. Errors are `CtxError`s; a failed write has changed nothing. What does not fit the
 * collections (unknown names, wrong types, missing key parts, bad limits) rejects with `CTX_INVALID_INPUT`, wherever in a batch
 * it stands; the shared checks in `check-*.ts` see to that. `scan` rejects at its first step.
 */
export interface StoreBackend {
  readonly contract: 1;
  /** Such as `store-sqlite`. */
  readonly name: string;
  readonly supports: StoreSupport;
  /**
   * Makes what the collections need and does not have yet: collections, nullable columns (null in old records) and indexes (over
   * old records too). Opening an existing store again keeps its records, also those of collections not named this time.
   */
  open(collections: readonly CollectionDefinition[], options?: OpenOptions): Promise<void>;
  /** Reads by key, in the order asked; `undefined` where there is none. */
  get(
    collection: string,
    keys: readonly RecordKey[],
    part?: RecordPart,
  ): Promise<(StoredRecord | undefined)[]>;
  /**
   * All or nothing, in the order given. Two operations on one key are allowed and see each other. No operations: no effect.
   * Throws: `CTX_STORE_CONFLICT` when an expected version does not hold.
   */
  write(operations: readonly WriteOperation[], options?: WriteOptions): Promise<void>;
  /**
   * Gives records in the order of the index. What is written meanwhile may or may not be seen; nothing is given twice, even where
   * a write moves a record ahead. Breaking off frees what the scan held. A `close` meanwhile may end it with `CTX_STORE_CLOSED`.
   */
  scan(query: ScanQuery): RecordScan;
  tally(query: TallyQuery): Promise<Tally[]>;
  search(query: SearchQuery): Promise<SearchHit[]>;
  /**
   * Another text once anybody has committed, here or in another process: while it stays the same, what was read behind it is what one
   * would read now. `undefined` where that cannot be told now. Only where `supports.marks`. Cost: less than a read.
   */
  mark?(): string | undefined;
  /**
   * Gives the records of a scan as lists, in parts of `size` of which the last may be smaller; no part where there is no record. All of
   * them are of one moment. Only where `supports.lists`. Cost: none of the objects that a scan makes.
   */
  lists?(query: ListQuery): Promise<RecordLists[]>;
  /** Safe to call twice. */
  close(): Promise<void>;
}

/** Part of an index, as in {@link ScanQuery}. */
export type EmptyRange = Pick<ScanQuery, 'collection' | 'index' | 'equal' | 'range'>;

/** Changes the columns given of all records in a part of an index; everything else of them stays, and their versions rise by one. */
export interface PatchRange extends EmptyRange {
  readonly columns: Readonly<Record<string, ColumnValue>>;
  /** How many records the range must hold, else the whole write rejects with `CTX_STORE_CONFLICT`. Default: any number. */
  readonly expectCount?: number;
}

/** Records that come behind the last one of a place. */
export interface AppendBatch {
  /** One that is not searched. */
  readonly collection: string;
  /** The key but for its last part, which the backend gives. */
  readonly place: readonly string[];
  readonly records: readonly Pick<PutOperation, 'columns' | 'body'>[];
}

export interface WriteOptions {
  /** The write changes nothing and rejects with `CTX_STORE_CONFLICT` if one of these ranges holds a record as it begins. */
  readonly emptyRanges?: readonly EmptyRange[];
  /** Done before the operations, in the order given: patches the records that a scan of the range would return as the write begins. */
  readonly patchRanges?: readonly PatchRange[];
  /**
   * Done after the operations. Each record gets the next number of its place as last key part, of 12 digits (`appendedPart`), from 1:
   * without a gap, in the order given. Writes that append to one place wait for one another and do not conflict. The operations name
   * no record of the place but older ones.
   */
  readonly appends?: readonly AppendBatch[];
  /** `power`: when the write has resolved it outlives a power cut. Default: the backend's own setting. */
  readonly durability?: 'process' | 'power';
}
