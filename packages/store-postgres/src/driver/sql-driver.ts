/** A value as a driver takes it. */
export type SqlValue = string | number | boolean | null | readonly (string | number | null)[];

/** A row by column. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** A row as its values, in the order in which they were selected. */
export type SqlList = readonly unknown[];

/** How a statement is sent. */
export interface StatementOptions {
  /**
   * Its text is sent again and again: the server may keep its plan. One plan is the best for all values, however much more
   * one tenant has than others: what walks one range of an index in its order, up to a limit that is a value, too; no join with a
   * list of keys. Default false.
   */
  readonly isRepeated?: boolean;
}

/**
 * Where statements are run, in the order of the calls, also where one is made before the last is answered: numbers of any integer
 * type come as numbers, bytes as `Uint8Array`.
 */
export interface SqlSession {
  /** One statement, with `$1`, `$2`… for its values. */
  query(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /** As `query`, each row as the list of its values, in the order in which they are selected: half as dear to read. */
  lists(
    sql: string,
    values: readonly SqlValue[],
    options?: StatementOptions,
  ): Promise<readonly SqlList[]>;
  /** Statements without values, separated by `;`, in one round trip. */
  script(sql: string): Promise<void>;
}

/** How a session is used. */
export interface SessionOptions {
  /** Let statements take as long as they take: they build indexes, or write tables anew. Default false. */
  readonly isPatient?: boolean;
}

/** Who hears the notifications of a channel. */
export interface Listening {
  readonly channel: string;
  readonly onMessage: (payload: string) => void;
  /** Told when the connection was lost and is back: what was sent meanwhile was not heard. */
  readonly onGap: () => void;
}

/**
 * What a backend needs of PostgreSQL: `pg`, PGlite or whatever else speaks to it.
 * Calls outside of `session` may run on any connection, at the same time.
 */
export interface SqlDriver extends SqlSession {
  readonly name: string;
  /** Runs all of a work on one connection. A connection on which it failed is not used again if it is broken. */
  session<Result>(
    work: (session: SqlSession) => Promise<Result>,
    options?: SessionOptions,
  ): Promise<Result>;
  /**
   * Hears notifications until the answer is called. Never rejects: a connection that cannot be had now is tried for beside. Left out
   * where it cannot: then readers are not told what others write, and look for it now and then.
   */
  listen?(listening: Listening): Promise<() => void>;
  close(): Promise<void>;
}
