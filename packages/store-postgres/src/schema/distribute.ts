import { CtxError } from '@ctx/core';
import { quoteName } from '@ctx/store/sql';
import { storeError } from '../driver/postgres-errors.ts';
import type { SqlSession } from '../driver/sql-driver.ts';
import { type PostgresStoreOptions, placeOf, type StorePlace } from '../store-place.ts';
import { metaTable, notesTable } from './names.ts';
import { changeSchema } from './open-tables.ts';
import { readSchemaIfMade } from './read-schema.ts';

/** What is done to a table: spread over machines by tenant, or copied to each of them. */
export interface DistributionStep {
  readonly table: string;
  readonly as: 'distributed' | 'reference';
  readonly sql: string;
}

/** What was found and done. */
export interface DistributionReceipt {
  /** The version of the Citus extension; absent where the database has none. */
  readonly citus?: string;
  /** Tables that are still to be distributed, in order; what was distributed already is left out. */
  readonly steps: readonly DistributionStep[];
  /** How many tables were distributed already. */
  readonly isDistributed: number;
  /** Whether the steps were done. */
  readonly isDone: boolean;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * The statements that spread the tables of a schema over the machines of Citus: every table by its tenant, all of a tenant on one
 * machine; what the schema says of itself on each of them.
 * Pure.
 */
export function planDistribution(
  collections: readonly string[],
  schema: string,
): readonly DistributionStep[] {
  const nameOf = (table: string): string => literal(`${schema}.${quoteName(table)}`);
  // The table of writes is there in every schema: the others lie where its tenants lie.
  const spread = [notesTable, ...collections].map((table): DistributionStep => {
    const beside = table === notesTable ? literal('none') : nameOf(notesTable);
    const sql = `SELECT create_distributed_table(${nameOf(table)}, 'tenant', colocate_with => ${beside})`;
    return { table, as: 'distributed', sql };
  });
  const copied = `SELECT create_reference_table(${nameOf(metaTable)})`;
  return [{ table: metaTable, as: 'reference', sql: copied }, ...spread];
}

async function citusVersion(session: SqlSession): Promise<string | undefined> {
  const rows = await session.query(
    `SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'`,
  );
  const version = rows[0]?.['version'];
  return typeof version === 'string' ? version : undefined;
}

/** The tables that Citus knows already. */
async function distributedTables(
  session: SqlSession,
  { schemaName }: StorePlace,
): Promise<ReadonlySet<string>> {
  const rows = await session.query(
    `SELECT relname AS name FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid::oid
     JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1`,
    [schemaName],
  );
  return new Set(rows.map(({ name }) => String(name)));
}

/** What there is to do in a store, by what Citus knows now. */
async function lookAt(
  session: SqlSession,
  place: StorePlace,
): Promise<Omit<DistributionReceipt, 'isDone'>> {
  const stored = await readSchemaIfMade(session, place);
  if (stored === undefined)
    throw new CtxError('CTX_NOT_FOUND', `there is no store at ${place.name} yet`);
  const citus = await citusVersion(session);
  const known = citus === undefined ? new Set() : await distributedTables(session, place);
  const all = planDistribution([...stored.definitions.keys()].sort(), place.schema);
  const steps = all.filter(({ table }) => !known.has(table));
  const found = { steps, isDistributed: all.length - steps.length };
  return citus === undefined ? found : { citus, ...found };
}

/** Looks again and does the steps in one transaction: all tables are spread, or none; of two callers the second finds nothing to do. */
function distribute(place: StorePlace): Promise<DistributionReceipt> {
  return changeSchema(place, async (session) => {
    const found = await lookAt(session, place);
    for (const { sql } of found.steps) await session.query(sql);
    return { ...found, isDone: true };
  });
}

/**
 * Spreads the tables of a store over the machines of Citus, by tenant. Where the database has no Citus, or with `isPlan`, it only says
 * what there would be to do.
 * Safe to call again; tables that later versions add are spread by the next call. Nobody writes meanwhile.
 * @throws `CTX_NOT_FOUND` where there is no store yet; `CTX_STORE_IO` as opening a store does.
 */
export async function distributePostgresStore(
  options: PostgresStoreOptions & { readonly isPlan?: boolean },
): Promise<DistributionReceipt> {
  const place = placeOf({ ...options, maxConnections: 1 });
  try {
    const found = await lookAt(place.driver, place);
    if (found.citus === undefined || options.isPlan === true) return { ...found, isDone: false };
    return await distribute(place);
  } catch (error) {
    throw storeError(error, place.name);
  } finally {
    await place.driver.close();
  }
}
