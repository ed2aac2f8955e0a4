import {
  checkCollections,
  checkKeys,
  checkOffered,
  checkOperations,
  checkScan,
  checkSearch,
  checkTally,
  type CollectionDefinition,
  CtxError,
  lookForWrites,
  type OpenOptions,
  type StoreBackend,
  type StoreSupport,
  searchableWords,
} from '@ctx/core';
import { type CollectionTable, collectionTable } from './collection-table.ts';
import type { Durability } from './connection.ts';
import { loadDriver } from './driver.ts';
import type { SqliteDriver, SqliteDriverName } from './sqlite-driver.ts';
import { eraseResidue } from './erase-residue.ts';
import { openTables, readTables } from './open-tables.ts';
import { getRecords, searchRecords, tallyRecords } from './read-records.ts';
import { openReadOnly } from './open-read-only.ts';
import { overlayWords } from './overlay-words.ts';
import { type PagedScan, pagedScan } from './read-page.ts';
import { closeConnection, openConnection } from './shared-connections.ts';
import { writeMark } from './write-mark.ts';
import { prepareRanges } from './write-ranges.ts';
import { applyOperations, countWords, prepareOperations } from './write-records.ts';
import { countAllWaiting, takeInSoon, type WaitingWords } from './waiting-words.ts';
import { takeInRest } from './write-words.ts';

/** Where the store lies and how safe a write is. */
export interface SqliteStoreOptions {
  /** The database file. It and its folder are made, private to their owner, where they are missing. */
  readonly path: string;
  /** Default: node:sqlite where Node has it (22.13), else @photostructure/sqlite. */
  readonly driver?: SqliteDriverName | SqliteDriver;
  /** What an acknowledged write outlives: the death of the process (default) or a power cut, at a quarter of the speed. */
  readonly durability?: Durability;
  /** How long a call waits for another process before `CTX_STORE_BUSY`, ms. Default 5000. */
  readonly busyTimeoutMs?: number;
  /**
   * Takes the last bytes of deleted records out of file, log and backups when the store is closed. Default false: they are
   * zeroed in place, but fragments may stay in free pages. Cost: time and room of the whole file. While another process reads
   * the file, the log keeps them until a later close.
   */
  readonly eraseOnClose?: boolean;
  /**
   * Opens a store that cannot be written, such as one on a read-only disk, and leaves no file beside it. Default false. Writes end
   * with `CTX_STORE_READ_ONLY`; so does an open where a log lies beside the file or an older ctx made it. Nobody may write the file
   * meanwhile. Words of records that wait to be found are found in memory, at the price of a copy of the full text there.
   */
  readonly readOnly?: boolean;
}

const defaultBusyTimeoutMs = 5000;

interface OpenState extends WaitingWords {
  readonly definitions: ReadonlyMap<string, CollectionDefinition>;
  readonly wordsOf: WordsOf;
  /** Ends the look for what others write. */
  readonly stopLooking: () => void;
}

type WordsOf = NonNullable<OpenOptions['wordsOf']>;

function checkOptions({ path, durability, busyTimeoutMs = 0 }: SqliteStoreOptions): void {
  const given: unknown = path;
  if (typeof given !== 'string' || given === '' || given.includes('\u0000')) {
    throw new CtxError('CTX_INVALID_INPUT', 'path must name a file');
  }
  if (durability !== undefined && !['process', 'power'].includes(durability)) {
    throw new CtxError('CTX_INVALID_INPUT', 'durability must be process or power');
  }
  if (!(busyTimeoutMs >= 0)) {
    throw new CtxError('CTX_INVALID_INPUT', 'busyTimeoutMs must be a number from 0');
  }
}

/** The collection as this program declares it, on the indexes and full-text columns that the file has. */
function tableFor(
  wanted: CollectionDefinition | undefined,
  stored: CollectionDefinition,
  wordsOf: WordsOf,
): CollectionTable {
  const { indexes, ...rest } = wanted ?? stored;
  const names = indexes.map(({ name }) => name);
  const made = stored.indexes.filter(({ name }) => names.includes(name));
  return collectionTable(
    { ...rest, indexes: made },
    {
      storedFields: stored.search,
      wordsOf: Object.hasOwn(wordsOf, rest.name) ? wordsOf[rest.name] : undefined,
    },
  );
}

async function openState(
  options: SqliteStoreOptions,
  collections: readonly CollectionDefinition[],
  { wordsOf: given = {}, watch }: OpenOptions,
): Promise<OpenState> {
  const wordsOf = { ...given };
  const driver = await loadDriver(options.driver);
  const { path, busyTimeoutMs = defaultBusyTimeoutMs, readOnly = false } = options;
  const driverName =
    typeof options.driver === 'string' ? options.driver : (options.driver?.name ?? '');
  const connection = readOnly
    ? openReadOnly({ path, driver, busyTimeoutMs })
    : openConnection({ path, driver, driverName, busyTimeoutMs });
  try {
    const now = Date.now();
    const merged = await connection.run(() =>
      readOnly ? readTables(connection, collections) : openTables(connection, { collections, now }),
    );
    const definitions = new Map(collections.map((one) => [one.name, one]));
    const tables = new Map(
      merged.map((one) => [one.name, tableFor(definitions.get(one.name), one, wordsOf)]),
    );
    const waiting = await connection.run(() => countAllWaiting({ connection, tables }));
    if (readOnly) await overlayWords(connection, tables);
    const readMark = async () => writeMark(connection);
    const stopLooking = await lookForWrites({ watch, readMark });
    return { connection, definitions, tables, wordsOf, waiting, isTakingIn: false, stopLooking };
  } catch (error) {
    await closeConnection(connection);
    throw error;
  }
}

type Calls = Pick<StoreBackend, 'get' | 'write' | 'scan' | 'tally' | 'search'>;

/** The mark of what is written; `undefined` where it cannot be read now. */
function markOf({ connection }: OpenState): string | undefined {
  try {
    return writeMark(connection);
  } catch {
    return undefined;
  }
}

/** What works on an open store. `opened` throws while it is not. */
function callsOn(opened: () => OpenState, defaultDurability: Durability): Calls {
  const tableOf = (name: string): CollectionTable => {
    const table = opened().tables.get(name);
    if (table !== undefined) return table;
    throw new CtxError('CTX_INVALID_INPUT', 'the store has no collection of that name');
  };
  return {
    async get(collection, keys, part) {
      const table = tableOf(collection);
      checkKeys(table.definition, keys);
      return await getRecords(opened().connection, table, { keys, part: part ?? 'whole' });
    },
    async write(operations, options = {}) {
      const state = opened();
      const { connection, definitions, wordsOf } = state;
      checkOperations(definitions, operations, wordsOf);
      checkOffered({ name, supports }, operations, options);
      const doRanges = prepareRanges({ definitions, tableOf }, options);
      const prepared = await prepareOperations(operations, tableOf);
      await connection.run(() =>
        connection.transaction(options.durability ?? defaultDurability, async () => {
          await doRanges(connection);
          return applyOperations(connection, prepared);
        }),
      );
      state.waiting += countWords(prepared);
      await takeInSoon(state);
    },
    scan(query) {
      // Whoever closes the store in the middle ends the scan at the next page.
      const begin = (): PagedScan => {
        const table = tableOf(query.collection);
        checkScan(table.definition, query);
        return { connection: opened().connection, table, query };
      };
      return pagedScan(begin);
    },
    async tally(query) {
      const table = tableOf(query.collection);
      checkTally(table.definition, query);
      return await tallyRecords(opened().connection, table, query);
    },
    async search(query) {
      const table = tableOf(query.collection);
      checkSearch(table.definition, query);
      const words = searchableWords(query.words);
      return await searchRecords(opened().connection, table, { ...query, words });
    },
  };
}

const name = 'store-sqlite';

const supports: StoreSupport = {
  durable: true,
  sharedBetweenProcesses: true,
  search: true,
  laterWords: true,
  emptyRanges: true,
  patchRanges: true,
  watch: true,
  marks: true,
};

/**
 * Keeps records in one SQLite file, in tables that a person can read.
 * Contract: several backends, processes and threads may use one file.
 * Throws: `CTX_INVALID_INPUT` for options that make no sense.
 */
export function sqliteBackend(options: SqliteStoreOptions): StoreBackend {
  checkOptions(options);
  let phase: 'new' | 'opening' | 'open' | 'closed' = 'new';
  let state: OpenState | undefined;
  let opening: Promise<OpenState> | undefined;

  const opened = (): OpenState => {
    if (phase === 'open' && state !== undefined) return state;
    const reason = phase === 'closed' ? 'is closed' : 'is not open yet';
    throw new CtxError('CTX_STORE_CLOSED', `the store ${options.path} ${reason}`);
  };

  return {
    contract: 1,
    name,
    supports,
    ...callsOn(opened, options.durability ?? 'process'),
    mark: () => (state === undefined ? undefined : markOf(state)),
    async open(collections, openOptions = {}) {
      if (phase === 'closed') opened();
      if (phase !== 'new') throw new CtxError('CTX_INVALID_INPUT', 'the store is open already');
      checkCollections(collections);
      phase = 'opening';
      opening = openState(options, structuredClone(collections), { ...openOptions });
      try {
        state = await opening;
        phase = 'open';
      } catch (error) {
        phase = 'new';
        throw error;
      }
    },
    async close() {
      // An open that is under way ends first, so that it leaves nothing open.
      await opening?.catch(() => undefined);
      phase = 'closed';
      if (state === undefined) return;
      const { connection, definitions, tables, stopLooking } = state;
      state = undefined;
      stopLooking();
      try {
        if (options.readOnly !== true) await takeInRest(connection, tables);
        if (options.eraseOnClose === true && options.readOnly !== true) {
          await connection.run(() => eraseResidue(connection, [...definitions.values()]));
        }
      } finally {
        await closeConnection(connection);
      }
    },
  };
}
