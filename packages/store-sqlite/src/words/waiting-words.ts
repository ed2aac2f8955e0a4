import { type Connection, yieldToLoop } from '../driver/connection.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { countWaiting, heldRecords, takeInWords, waitingRecords } from './write-words.ts';

/** The records of an open store whose words are still to be taken in. */
export interface WaitingWords {
  readonly connection: Connection;
  readonly tables: ReadonlyMap<string, CollectionTable>;
  /** How many, about: those of other processes are not seen. */
  waiting: number;
  /** Collections that have any of them, so that no other is looked at. */
  readonly waitingIn: Set<CollectionTable>;
  /** Whether they are about to be taken in. */
  isTakingIn: boolean;
}

/** How many records of all collections wait for their words, at most so many as make them be taken in; and of which collections. */
export function findWaiting({
  connection,
  tables,
}: Pick<WaitingWords, 'connection' | 'tables'>): Pick<WaitingWords, 'waiting' | 'waitingIn'> {
  const waitingIn = new Set<CollectionTable>();
  let waiting = 0;
  for (const table of tables.values()) {
    const count = countWaiting(connection, table, waitingRecords);
    if (count > 0) waitingIn.add(table);
    waiting += count;
  }
  return { waiting, waitingIn };
}

/** Notes that the words of records wait that were put. */
export function noteWaiting(state: WaitingWords, put: readonly CollectionTable[]): void {
  state.waiting += put.length;
  for (const table of put) state.waitingIn.add(table);
}

async function takeInAll(state: WaitingWords): Promise<void> {
  state.waiting = 0;
  state.isTakingIn = false;
  const { connection } = state;
  for (const table of [...state.waitingIn]) {
    await connection.run(async () => {
      if (countWaiting(connection, table, 1) === 0) {
        state.waitingIn.delete(table);
        return;
      }
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
