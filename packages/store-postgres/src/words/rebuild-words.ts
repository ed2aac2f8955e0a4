import { quoteName } from '@ctx/store/sql';
import type { SqlRow, SqlSession } from '../driver/sql-driver.ts';
import { lockNumber } from '../lock/lock-number.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { indexName } from '../schema/names.ts';
import type { StorePlace } from '../store-place.ts';
import { nowSql } from '../write/notes.ts';
import {
  beganComment,
  builtComment,
  planRebuild,
  type RebuildPlan,
  type WordIndex,
} from './plan-rebuild.ts';

type Place = Pick<StorePlace, 'driver' | 'schema' | 'schemaName'>;

/** What was done to an index of words. */
export interface RebuildReceipt {
  readonly index: string;
  readonly before: number;
  readonly after: number;
}

/** Both a vacuum and whatever builds or drops an index beside writes hold this lock. */
const tending = 'ShareUpdateExclusiveLock';

/** An index of words, what else is there of it, and its table. */
const lookSql = `SELECT pg_relation_size(i.oid) AS bytes, pg_table_size(t.oid) AS beside,
  to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS citus, obj_description(i.oid, 'pg_class') AS comment, pg_has_role(t.relowner, 'USAGE') AS own, ${nowSql} AS now,
  EXISTS (SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
    WHERE d.datname = current_database() AND l.relation = t.oid AND l.mode = '${tending}') AS busy,
  ARRAY (SELECT c.relname::text FROM pg_index y JOIN pg_class c ON c.oid = y.indexrelid JOIN pg_am a ON a.oid = c.relam
    WHERE y.indrelid = t.oid AND NOT y.indisvalid AND a.amname = 'gin' AND c.relname ~ '_cc(new|old)[0-9]*$') AS leftovers
  FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
  JOIN pg_namespace n ON n.oid = i.relnamespace WHERE n.nspname = $1 AND i.relname = $2`;

/** The sizes on all machines of Citus, where the table was distributed. */
const citusSql = `SELECT citus_relation_size(x.indexrelid) AS bytes, citus_table_size(x.indrelid) AS beside
  FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_namespace n ON n.oid = i.relnamespace
  JOIN pg_dist_partition p ON p.logicalrelid = x.indrelid WHERE n.nspname = $1 AND i.relname = $2`;

function indexOf(row: SqlRow, schema: string, name: string): WordIndex {
  const leftovers: unknown = row['leftovers'];
  const qualified = (one: unknown): string => `${schema}.${quoteName(String(one))}`;
  return {
    name: qualified(name),
    bytes: Number(row['bytes']),
    tableBytes: Number(row['beside']),
    comment: typeof row['comment'] === 'string' ? row['comment'] : undefined,
    isOwn: row['own'] === true,
    isBusy: row['busy'] === true,
    leftovers: Array.isArray(leftovers) ? leftovers.map(qualified) : [],
    now: Number(row['now']),
  };
}

/** Returns `undefined` if there is no such index. */
async function lookAt(
  session: SqlSession,
  { schema, schemaName }: Place,
  name: string,
): Promise<WordIndex | undefined> {
  const [row] = await session.query(lookSql, [schemaName, name]);
  const isCitus = row?.['citus'] === true;
  const [spread] = isCitus ? await session.query(citusSql, [schemaName, name]) : [];
  return row && indexOf({ ...row, ...spread }, schema, name);
}

async function noteOn(session: SqlSession, name: string, comment: string): Promise<void> {
  await session.script(`COMMENT ON INDEX ${name} IS '${comment.replaceAll("'", "''")}'`);
}

const isNothing = ({ drops, isRebuilt }: RebuildPlan): boolean => drops.length === 0 && !isRebuilt;

/** An index with what is to be done to it. */
interface BegunRebuild {
  readonly index: WordIndex;
  readonly plan: RebuildPlan;
}

/** Looks again where no other process can begin meanwhile, and says that this one does. */
async function begin(
  session: SqlSession,
  place: Place,
  name: string,
): Promise<BegunRebuild | undefined> {
  const number = lockNumber('words', place.schemaName, name);
  await session.script(
    `BEGIN; SET LOCAL lock_timeout = '2s'; SELECT pg_advisory_xact_lock(${number})`,
  );
  try {
    const index = await lookAt(session, place, name);
    const plan = index && planRebuild(index);
    const begun = index && plan && !isNothing(plan) ? { index, plan } : undefined;
    if (begun !== undefined) await noteOn(session, begun.index.name, beganComment(begun.index));
    await session.script('COMMIT');
    return begun;
  } catch (error) {
    await session.script('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Reads and writes of the table go on meanwhile. A rebuild that is broken off leaves an index that the next one drops. */
async function rebuild(
  session: SqlSession,
  place: Place,
  name: string,
): Promise<RebuildReceipt | undefined> {
  const begun = await begin(session, place, name);
  if (begun === undefined) return undefined;
  const { index, plan } = begun;
  for (const leftover of plan.drops) {
    await session.script(`DROP INDEX CONCURRENTLY IF EXISTS ${leftover}`);
  }
  if (plan.isRebuilt) await session.script(`REINDEX INDEX CONCURRENTLY ${index.name}`);
  const now = await lookAt(session, place, name);
  if (now === undefined) return undefined;
  if (plan.isRebuilt) await noteOn(session, index.name, builtComment(now));
  return { index: name, before: index.bytes, after: now.bytes };
}

/**
 * Rebuilds the indexes of words that have grown: such an index (GIN) keeps each word that was ever in it, also where no record holds it
 * any more. Several processes may ask at once: one does it. Citus does it on each machine; what a rebuild left there when it was
 * broken off stays.
 */
export async function rebuildWords(
  place: Place,
  tables: Iterable<CollectionTable>,
): Promise<RebuildReceipt[]> {
  const receipts: RebuildReceipt[] = [];
  for (const { definition } of tables) {
    if (definition.search.length === 0) continue;
    const name = indexName(definition.name, '_words');
    const index = await lookAt(place.driver, place, name);
    if (index === undefined || isNothing(planRebuild(index))) continue;
    const receipt = await place.driver.session((session) => rebuild(session, place, name), {
      isPatient: true,
    });
    if (receipt !== undefined) receipts.push(receipt);
  }
  return receipts;
}

/** Rebuilds beside the writes. */
export interface Rebuilding {
  /** Told of a write, and of how many operations it has. */
  readonly count: (operations: number) => void;
  /** Resolves when nothing is under way any more. */
  readonly end: () => Promise<void>;
}

/** The indexes are looked at after so many operations of this process, in the mean, and never after fewer than these. */
const everyOperations = 1000;
const leastOperations = 20;

/** Never rejects: what cannot be done now is done another time, or by another process. */
export function startRebuilding(look: () => Promise<unknown>): Rebuilding {
  // By chance, so that processes that write little look at them, too, one of many.
  const next = (): number => leastOperations + Math.ceil(Math.random() * 2 * everyOperations);
  let left = next();
  let running: Promise<unknown> | undefined;
  return {
    count: (operations) => {
      left -= operations;
      if (left > 0 || running !== undefined) return;
      left = next();
      running = look()
        .catch(() => undefined)
        .finally(() => {
          running = undefined;
        });
    },
    end: async () => {
      await running;
    },
  };
}
