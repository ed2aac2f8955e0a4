/** The tenant comes first. Parts are well-formed Unicode without U+0000, up to 1,024 UTF-8 bytes, compared exactly; '' is allowed. */
export type RecordKey = readonly string[];
/** Text is well-formed Unicode without U+0000; integers are safe; reals are finite; -0 is kept as 0. */
export type ColumnValue = string | number | null;
type Columned = { readonly columns: Readonly<Record<string, ColumnValue>> };
/** Which part of a record to read: `columns` spares the body. */
export type RecordPart = 'whole' | 'columns';

export type ColumnDefinition = Readonly<{ type: 'text' | 'integer' | 'real'; nullable?: boolean }>;

/** An ordered index. Order within a field: null, numbers by value, text by code point; ties in the order of the whole key. */
export interface IndexDefinition {
  readonly name: string;
  /** Key parts or columns, the tenant first. The index `key`, of the key itself, always exists. */
  readonly fields: readonly string[];
  /** A hint: the index may hold these integer columns; counts and sums may be kept by `floor(value / bucketWidth)` of the last field. */
  readonly tally?: { readonly bucketWidth?: number; readonly sums: readonly string[] };
  /** A nullable field that every query must give a value: the index may leave out records where it is null. */
  readonly notNull?: string;
}

/** A table in SQL, a folder of files. `name` is `^[a-z][a-z_]{0,39}$`; `order` or `constructor` are names like any other. */
export interface CollectionDefinition {
  readonly name: string;
  /** Names of the key's parts, `tenant` first. All are text. */
  readonly key: readonly [string, ...string[]];
  /** By name, `^[a-z][a-z0-9_]{0,39}$`. Default: not nullable. */
  readonly columns: Readonly<Record<string, ColumnDefinition>>;
  readonly indexes: readonly IndexDefinition[];
  /** Full-text fields. `weight` multiplies the matches in the rank (BM25F). */
  readonly search: readonly { readonly name: string; readonly weight: number }[];
}

export interface StoredRecord extends Columned {
  readonly key: RecordKey;
  /** 1 when created, one more with every put or patch; 1 again after a delete. */
  readonly version: number;
  /** JSON text exactly as written; '' if only columns were read. */
  readonly body: string;
}

interface RecordOperation {
  readonly collection: string;
  readonly key: RecordKey;
  /** The version that the record must have, 0 if it must not exist. Default: any. */
  readonly expectVersion?: number;
}

/** Creates or replaces a record as a whole; columns left out are null. */
export interface PutOperation extends RecordOperation, Columned {
  readonly type: 'put';
  readonly body: string;
  /** By search field: words of lower-case letters and digits, separated by single spaces; not checked. Replaces all it had. */
  readonly words?: Readonly<Record<string, string>>;
}

/** Columns that it leaves out stay. A missing record is a conflict. */
export type PatchOperation = RecordOperation & Columned & { readonly type: 'patch' };
/** `erases` is a hint: takes all time that it needs so that full text keeps no byte of it either, of earlier deletes among them. */
export type DeleteOperation = RecordOperation & Readonly<{ type: 'delete'; erases?: boolean }>;
export type CheckOperation = Required<RecordOperation> & { readonly type: 'check' };
export type WriteOperation = PutOperation | PatchOperation | DeleteOperation | CheckOperation;

/** Part of an index, or of the order `key`: the first fields, at least the tenant, are `equal`; the next is in `range`, null in none. */
export interface CollectionRange {
  readonly collection: string;
  readonly index: string;
  readonly equal: readonly ColumnValue[];
  readonly range?: {
    readonly from?: string | number;
    readonly fromExclusive?: boolean;
    readonly to?: string | number;
    readonly toExclusive?: boolean;
  };
}

export interface ScanQuery extends CollectionRange {
  readonly descending?: boolean;
  /** Exclusive cursor, with or without a record there: the values of the index's fields (of `key`, the key), then the key. */
  readonly after?: { readonly values: readonly ColumnValue[]; readonly key: RecordKey };
  readonly limit?: number;
  readonly part?: RecordPart;
  /** A hint: records may lack columns other than these and those of the index. */
  readonly columns?: readonly string[];
  /** A hint: rejects at its end for damaged records that may belong here, but whose columns are lost; of several each is a cause. */
  readonly isList?: boolean;
}

/** Some records of a scan, in order: for each name, and for the versions, the JSON text of a list of the exact values. */
export interface RecordLists {
  readonly count: number;
  readonly lists: Readonly<Record<string, string>>;
  readonly versions: string;
}

/** Records in order. An async generator is a scan; the other members only save time and may be missing. */
export interface RecordScan extends AsyncIterable<StoredRecord> {
  /** Reads all records at once; what `map` throws is thrown as it is. */
  readonly all?: <T>(map: (record: StoredRecord) => T) => Promise<T[]>;
  /** Reads these key parts and columns as of one moment, in parts of `size` records. For scans without `after` and `limit`. */
  readonly lists?: (names: readonly string[], size: number) => Promise<RecordLists[] | undefined>;
}

/** `groupBy` names columns or key parts; without, there is one group, even if it is empty. `sums` names columns; null adds nothing. */
export interface TallyQuery extends CollectionRange {
  readonly groupBy?: readonly string[];
  readonly sums?: readonly string[];
}

/** Groups come in the order of their values. Sums of integers are exact; those of reals leave no remainder of deleted values. */
export interface Tally {
  readonly group: readonly ColumnValue[];
  readonly count: number;
  readonly sums: readonly number[];
}

/** Finds records that hold any, or with `every` each, of these words, among those whose first key parts are `equal`. `whole` is a hint. */
export interface SearchQuery extends Pick<CollectionRange, 'collection'> {
  readonly equal: readonly string[];
  /** As in `PutOperation.words`, compared exactly; repetitions count once, other characters match nothing. */
  readonly words: readonly string[];
  readonly every?: boolean;
  readonly whole?: boolean;
  readonly limit: number;
}

/** Scores are finite: they grow with matches, rarity, weight, fall with length, and order equal searches equally. `record` may be missing. */
export type SearchHit = Readonly<{ key: RecordKey; score: number; record?: StoredRecord }>;

/** What a backend promises; the conformance kit tests each promise. */
export interface StoreSupport {
  /** What was acknowledged outlives the process. */
  readonly durable: boolean;
  /** Several processes may open the store at once without losing updates. */
  readonly sharedBetweenProcesses: boolean;
  /** If false, `search` rejects with `CTX_STORE_UNSUPPORTED`. */
  readonly search: boolean;
  /** `OpenOptions.watch` is served. Default false. */
  readonly watch?: boolean;
}

/** Hears of what other backends write to a collection while `isOn`. Calls may come late or too often, or be lost with a connection. */
export interface WriteWatch {
  readonly collection: string;
  readonly isOn: () => boolean;
  /** Records of this tenant (default: of any) may have changed. Does not throw. */
  readonly onWrite: (tenant?: string) => void;
}

export interface OpenOptions {
  readonly watch?: WriteWatch;
  /** Called with the number of records that no search finds yet, at each change, while words of an older store are being indexed. */
  readonly onUnsearched?: (records: number) => void;
  /** Called once with a cheap function whose text changes with every commit by anyone; `undefined` if it can't tell, or once closed. */
  readonly onMark?: (readMark: () => string | undefined) => void;
}

/** A conflict unless the range holds `expectCount` records. */
export type PatchRange = CollectionRange & Columned & { readonly expectCount?: number };

/** Adds records that are not searched. `place` is the key but for the last part, which becomes the next `appendedPart`, from 1. */
export interface AppendBatch extends Pick<CollectionRange, 'collection'> {
  readonly place: readonly string[];
  readonly records: readonly (Columned & Pick<StoredRecord, 'body'>)[];
}

/** Before the operations, `emptyRanges` are found empty (else it is a conflict), then ranges are patched; appends follow in turn. */
export interface WriteOptions {
  readonly emptyRanges?: readonly CollectionRange[];
  readonly patchRanges?: readonly PatchRange[];
  readonly appends?: readonly AppendBatch[];
  /** `power`: outlives a power cut once resolved. Default: the backend's setting. */
  readonly durability?: 'process' | 'power';
}

/**
 * Stores records. Calls may overlap. Before `open` and after `close` they reject with `CTX_STORE_CLOSED`; what does not fit the collections
 * rejects with `CTX_INVALID_INPUT` (`check-*.ts`). Once a call has resolved, it shares no object with the caller. `close` may come twice.
 */
export interface StoreBackend {
  readonly contract: 1;
  readonly name: string;
  readonly supports: StoreSupport;
  /** Creates what is missing (collections, nullable columns, indexes over old records) and keeps all else. Rejects a second call. */
  open(collections: readonly CollectionDefinition[], options?: OpenOptions): Promise<void>;
  get(
    collection: string,
    keys: readonly RecordKey[],
    part?: RecordPart,
  ): Promise<(StoredRecord | undefined)[]>;
  /** All or nothing, in the given order. Rejects with `CTX_STORE_CONFLICT` if anything expected does not hold. */
  write(operations: readonly WriteOperation[], options?: WriteOptions): Promise<void>;
  /** Returns nothing twice, even if a write moves a record ahead. Rejects at the first step; breaking off frees what it held. */
  scan(query: ScanQuery): RecordScan;
  tally(query: TallyQuery): Promise<Tally[]>;
  search(query: SearchQuery): Promise<SearchHit[]>;
  close(): Promise<void>;
}
