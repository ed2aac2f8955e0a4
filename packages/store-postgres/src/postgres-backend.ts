import {
  backendLife,
  type CollectionDefinition,
  type OpenOptions,
  type StoreBackend,
} from '@ctx/store/backend';
import { storeError } from './driver/postgres-errors.ts';
import { tryAgain } from './driver/retry.ts';
import { lockedDriver } from './lock/tenant-lock.ts';
import { type Calling, callsOn, type OpenState } from './postgres-calls.ts';
import { collectionTable } from './schema/collection-table.ts';
import { openTables } from './schema/open-tables.ts';
import { readSchemaIfMade } from './schema/read-schema.ts';
import { type PostgresStoreOptions, placeOf, type StorePlace } from './store-place.ts';
import { eraseResidue } from './write/erase-residue.ts';
import { rebuildWords, startRebuilding } from './words/rebuild-words.ts';
import { startForgetting } from './write/notes.ts';
import { startNotices } from './write/notify-writes.ts';

const supports: StoreBackend['supports'] = {
  durable: true,
  sharedBetweenProcesses: true,
  search: true,
};

/** What a backend of this place says of itself. */
function offerOf({ driver }: StorePlace): Pick<StoreBackend, 'name' | 'supports'> {
  return { name: 'store-postgres', supports: { ...supports, watch: driver.listen !== undefined } };
}

async function openState(
  place: StorePlace,
  wanted: readonly CollectionDefinition[],
  watch: NonNullable<OpenOptions['watch']> | undefined,
): Promise<OpenState> {
  const { merged, isLocked } = await tryAgain(() => openTables(place, wanted));
  const definitions = new Map(wanted.map((one) => [one.name, one]));
  const tables = merged.map((one) => {
    const definition = definitions.get(one.name) ?? one;
    return [one.name, collectionTable(definition, place.schema)] as const;
  });
  const driver = isLocked ? lockedDriver(place.driver) : place.driver;
  const notices = await startNotices(place, watch);
  return { definitions, tables: new Map(tables), log: { driver, schema: place.schema }, notices };
}

/**
 * Whether a store was made there already. Takes one connection.
 * @throws `CTX_STORE_UNREACHABLE` if the server does not answer; `CTX_STORE_IO` if it refuses.
 */
export async function postgresStoreExists(options: PostgresStoreOptions): Promise<boolean> {
  const place = placeOf({ ...options, maxConnections: 1 });
  try {
    return (await readSchemaIfMade(place.driver, place)) !== undefined;
  } catch (error) {
    throw storeError(error, place.name);
  } finally {
    await place.driver.close();
  }
}

/** Takes what was deleted out of these tables, then ends the connections. */
async function endWith(
  { driver, name, schema }: StorePlace,
  tables: OpenState['tables'] = new Map(),
): Promise<void> {
  try {
    if (tables.size > 0) await eraseResidue({ driver, schema }, [...tables.values()]);
  } catch (error) {
    throw storeError(error, name);
  } finally {
    await driver.close();
  }
}

/**
 * Keeps records in PostgreSQL, in tables that a person can read.
 * Any number of backends, processes and machines may use one schema.
 * @throws `CTX_INVALID_OPTION` for options that make no sense.
 */
export function postgresBackend(options: PostgresStoreOptions): StoreBackend {
  // JavaScript can leave the options out.
  const place = placeOf(Object(options) as PostgresStoreOptions);
  const offer = offerOf(place);
  const forgetting = startForgetting();
  const rebuilding = startRebuilding(async () => rebuildWords(place, opened().tables.values()));
  const isErasing = options.eraseOnClose === true && !place.readOnly;
  const life = backendLife<OpenState>({
    name: `the store ${place.name}`,
    open: (collections, { watch }) => call(() => openState(place, collections, watch)),
    async close(state) {
      await state?.notices.end();
      await Promise.all([forgetting.end(), rebuilding.end()]);
      await endWith(place, isErasing ? state?.tables : undefined);
    },
  });
  const { opened } = life;
  const call = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (life.isClosed()) opened();
      throw storeError(error, place.name);
    }
  };
  const onWrite: Calling['onWrite'] = (log, tenant, operations) => {
    forgetting.count(log, tenant);
    rebuilding.count(operations);
  };
  return {
    ...{ contract: 1, ...offer },
    ...callsOn({ readOnly: place.readOnly, opened, call, onWrite }),
    open: life.open,
    close: life.close,
  };
}
