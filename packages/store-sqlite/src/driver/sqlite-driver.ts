/** What SQLite gives and takes. */
export type SqliteValue = string | number | bigint | null | Uint8Array;

export type SqliteRow = Readonly<Record<string, SqliteValue>>;

/** The values of a row, in the order of what was selected. */
export type SqliteValueList = readonly SqliteValue[];

/** What a statement did. */
export interface SqliteChange {
  /** Rows that it inserted, changed or deleted itself; those of triggers do not count. */
  readonly changes: number | bigint;
  readonly lastInsertRowid: number | bigint;
}

/** A prepared statement: the part of `StatementSync` of `node:sqlite` that ctx uses. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): SqliteChange;
  get(...values: SqliteValue[]): SqliteRow | undefined;
  all(...values: SqliteValue[]): SqliteRow[];
  iterate(...values: SqliteValue[]): IterableIterator<SqliteRow | SqliteValueList>;
  /** With true rows come as lists, where the driver can: half as dear to read where they have many columns. */
  setReturnArrays?(isOn: boolean): void;
}

/** An open database: the part of `DatabaseSync` of `node:sqlite` that ctx uses. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

/** Opens a database file that exists. FTS5 and WAL must be compiled in. */
export type SqliteDriver = (path: string) => SqliteDatabase;

/** Drivers that ctx knows by name. */
export type SqliteDriverName = 'builtin' | 'photostructure' | 'better-sqlite3';
