import { randomUUID } from 'node:crypto';
import type { SqlDriver, SqlSession } from '../driver/sql-driver.ts';
import { notesTable } from '../schema/names.ts';

/** Where writes are noted. */
export interface WriteLog {
  readonly driver: SqlDriver;
  /** Quoted. */
  readonly schema: string;
}

/** The moment of the server, ms since the epoch. */
export const nowSql = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Notes are kept for so long: no try of a write comes later. */
const keepMs = 3_600_000;
const batchNotes = 10_000;
/** Old notes are looked for after so many writes of this process, in the mean. */
const everyWrites = 50;

/** The first 12 hexadecimal digits of ids of this moment, and the sign of their kind. Source: RFC 9562, UUID version 7. */
function idStart(now: number): string {
  const digits = Math.max(0, Math.floor(now)).toString(16).padStart(12, '0').slice(-12);
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7`;
}

/** A new id of a write. Ids are in the order of their moments, as far as clocks agree: notes of one time lie together. */
export function writeId(now: number): string {
  return idStart(now) + randomUUID().slice(15);
}

/** The lowest id of a moment. */
function lowestId(now: number): string {
  return `${idStart(now)}000-8000-000000000000`;
}

/** What makes the table of notes. The tenant leads its key, and there is no index beside it. */
export function notesSql(schema: string): string {
  return `CREATE TABLE IF NOT EXISTS ${schema}."${notesTable}" (tenant text COLLATE "C" NOT NULL, id uuid NOT NULL, at bigint NOT NULL, PRIMARY KEY (tenant, id))`;
}

/** Says that a write is being made; fails where it was made before, and waits where it is just being made. */
export async function noteWrite(
  session: SqlSession,
  schema: string,
  { tenant, id }: { readonly tenant: string; readonly id: string },
): Promise<void> {
  const sql = `INSERT INTO ${schema}."${notesTable}" (tenant, id, at) VALUES ($1, $2, ${nowSql})`;
  await session.lists(sql, [tenant, id], { isRepeated: true });
}

/**
 * Lets go of old notes of a tenant, a batch at a time; what another process is letting go of is left to it. What counts as old is by
 * the server's clock; this machine's only says where to look. Gives how many went.
 */
export async function forgetWrites(
  { driver, schema }: WriteLog,
  tenant: string,
  now: number,
): Promise<number> {
  const table = `${schema}."${notesTable}"`;
  const old = `tenant = $1 AND id < $2::uuid AND at < ${nowSql} - ${String(keepMs)}`;
  const rows = await driver.query(
    `WITH gone AS (DELETE FROM ${table} WHERE tenant = $1 AND id IN (SELECT id FROM ${table} WHERE ${old} LIMIT ${String(batchNotes)} FOR UPDATE SKIP LOCKED) RETURNING 1)
     SELECT count(*) AS n FROM gone`,
    [tenant, lowestId(now - keepMs)],
  );
  return Number(rows[0]?.['n']);
}

/** Deletes the old notes of all tenants: a tenant that is gone writes no more, and would leave its own. */
export async function forgetOfAll(session: SqlSession, schema: string): Promise<void> {
  await session.script(
    `DELETE FROM ${schema}."${notesTable}" WHERE at < ${nowSql} - ${String(keepMs)}`,
  );
}

async function forgetAll(log: WriteLog, tenant: string): Promise<void> {
  while ((await forgetWrites(log, tenant, Date.now())) === batchNotes);
}

/** Lets go of old notes beside the writes. */
export interface Forgetting {
  /** Told of a write of this tenant. */
  readonly count: (log: WriteLog, tenant: string) => void;
  /** Resolves when nothing is under way any more. */
  readonly end: () => Promise<void>;
}

/** Never rejects; notes that could not go now go another time, or by another process. */
export function startForgetting(): Forgetting {
  // The first write of a process looks, too: a process that writes little would else leave all notes to others.
  let left = 1;
  let running: Promise<void> = Promise.resolve();
  return {
    count: (log, tenant) => {
      left -= 1;
      if (left > 0) return;
      // By chance, so that no tenant of many that write in turn is always passed over.
      left = Math.ceil(Math.random() * 2 * everyWrites);
      const next = (): Promise<void> => forgetAll(log, tenant);
      running = running.then(next).catch(() => undefined);
    },
    end: () => running,
  };
}
