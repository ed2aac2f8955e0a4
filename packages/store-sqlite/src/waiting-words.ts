import type { CollectionTable } from './collection-table.ts';
import { type Connection, yieldToLoop } from './connection.ts';
import { countWaiting, heldRecords, takeInWords, waitingRecords } from './write-words.ts';

/** The records of an open store whose words are still to be taken in. */
export interface WaitingWords {
  readonly connection: Connection;
  readonly tables: ReadonlyMap<string, CollectionTable>;
  /** How many, about: those of other processes are not seen. */
  waiting: number;
  /** Whether they are about to be taken in. */
  isTakingIn: boolean;
}

/** How many records of all collections wait for their words, at most so many as make them be taken in. */
export function countAllWaiting({
  connection,
  tables,
}: Pick<WaitingWords, 'connection' | 'tables'>): number {
  const counts = [...tables.values()].map((table) =>
    countWaiting(connection, table, waitingRecords),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function takeInAll(state: WaitingWords): Promise<void> {
  state.waiting = 0;
  state.isTakingIn = false;
  const { connection } = state;
  for (const table of state.tables.values()) {
    if (table.searchFields.length === 0) continue;
    await connection.run(async () => {
      if (countWaiting(connection, table, 1) === 0) return;
      await connection.transaction('process', () => {
        takeInWords(connection, table);
      });
    });
  }
}

/**
 * Takes in the words of at most `limit` records of each collection. Gives how many records of all collections wait still.
 * Contract: one transaction for each collection that has any; few records are held at once. Throws: as {@link takeInWords}.
 */
export async function takeInSome(
  { connection, tables }: Pick<WaitingWords, 'connection' | 'tables'>,
  limit: number,
): Promise<number> {
  let left = 0;
  for (const table of tables.values()) {
    left += await connection.run(async () => {
      if (countWaiting(connection, table, 1) === 0) return 0;
      await connection.transaction('process', () => {
        for (let done = 0; done < limit; done += heldRecords) {
          takeInWords(connection, table, Math.min(heldRecords, limit - done));
        }
      });
      return countWaiting(connection, table, Number.MAX_SAFE_INTEGER);
    });
  }
  return left;
}

/**
 * Takes in what waits when it is much: behind the write that made it so, once the loop is free. Where writes come so close that
 * it never is, one of them waits, so that no more than twice as much piles up.
 */
export async function takeInSoon(state: WaitingWords): Promise<void> {
  if (state.waiting < waitingRecords) return;
  if (state.isTakingIn && state.waiting < 2 * waitingRecords) return;
  const isPressing = state.isTakingIn;
  state.isTakingIn = true;
  const done = isPressing ? takeInAll(state) : yieldToLoop().then(() => takeInAll(state));
  // What fails here is tried again by the next search, which tells.
  const settled = done.catch(() => undefined);
  if (isPressing) await settled;
}
