import { operationsTable } from './names.ts';
import type { WriteLog } from './run-write.ts';

/** Notes are kept for so long: no try of a write comes later. */
const keepMs = 3_600_000;
const batchNotes = 10_000;
/** After so many writes of this process old notes are looked for. */
const everyWrites = 1000;

/** Lets go of old notes, a batch at a time; what another process is letting go of is left to it. Gives how many went. */
export async function forgetWrites({ driver, schema }: WriteLog): Promise<number> {
  const table = `${schema}."${operationsTable}"`;
  const old = `at < floor(extract(epoch FROM clock_timestamp()) * 1000) - ${String(keepMs)}`;
  const rows = await driver.query(
    `WITH gone AS (DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${old} LIMIT ${String(batchNotes)} FOR UPDATE SKIP LOCKED) RETURNING 1)
     SELECT count(*) AS n FROM gone`,
  );
  return Number(rows[0]?.['n']);
}

async function forgetAll(log: WriteLog): Promise<void> {
  while ((await forgetWrites(log)) === batchNotes);
}

/** Lets go of old notes beside the writes. */
export interface Forgetting {
  /** Counts a write. */
  readonly count: () => void;
  /** Resolves when nothing is under way any more. */
  readonly end: () => Promise<void>;
}

/** Contract: never rejects; notes that could not go now go another time, or by another process. */
export function startForgetting(log: WriteLog): Forgetting {
  // The first write of a process looks, too: a process that writes little would else leave all notes to others.
  let writes = everyWrites - 1;
  let running: Promise<void> = Promise.resolve();
  return {
    count: () => {
      writes += 1;
      if (writes % everyWrites === 0) running = forgetAll(log).catch(() => undefined);
    },
    end: () => running,
  };
}
