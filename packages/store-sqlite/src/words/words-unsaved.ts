import type { Connection } from '../driver/connection.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { countWaiting, takeInWords } from './write-words.ts';

/**
 * Does `work`, which only reads, as if all words that wait were taken in, and takes that back: for a disk without room.
 * Contract: within `run`, outside of a transaction; writes no byte. Cost: the memory of the pages that the words change.
 */
export function withWordsUnsaved<T>(
  connection: Connection,
  table: CollectionTable,
  work: () => T,
): T {
  // What a transaction changes stays in memory until its end.
  connection.execute('PRAGMA cache_spill = OFF');
  try {
    connection.execute('BEGIN IMMEDIATE');
    try {
      while (countWaiting(connection, table, 1) > 0) takeInWords(connection, table);
      return work();
    } finally {
      connection.execute('ROLLBACK');
    }
  } finally {
    connection.execute('PRAGMA cache_spill = ON');
  }
}
