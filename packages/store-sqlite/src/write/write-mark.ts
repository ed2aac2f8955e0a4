import type { Connection } from '../driver/connection.ts';

/**
 * Returns a text that changes with every commit: other processes by what SQLite counts, users of this connection by our own.
 * May be read while a transaction is under way, which it does not see. Looks at the header of the log, some
 * microseconds.
 */
export function writeMark(connection: Connection): string {
  const row = connection.statement('PRAGMA data_version').get();
  return `${String(row?.['data_version'])} ${String(connection.ended())}`;
}
