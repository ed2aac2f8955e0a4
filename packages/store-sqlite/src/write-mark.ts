import type { Connection } from './connection.ts';

/**
 * Something that is another once anybody has committed: other processes by what SQLite counts, users of this connection by our own.
 * Cost: a look at the header of the log, some microseconds.
 */
export function writeMark(connection: Connection): Promise<string> {
  return connection.read(() => {
    const row = connection.statement('PRAGMA data_version').get();
    return `${String(row?.['data_version'])} ${String(connection.ended())}`;
  });
}
