import { CtxError } from '@ctx/core';
import {
  type CollectionDefinition,
  checkCollections,
  checkKeys,
  checkSearch,
  checkWrite,
  collectionNamed,
  lookForWrites,
  type OpenOptions,
  plainOperations,
  type RecordKey,
  type StoreBackend,
  type StoreSupport,
  type WriteOperation,
  type WriteOptions,
} from '@ctx/store/backend';
import type { Durability } from './files/write-atomically.ts';
import { takeInOldWords } from './index/old-words.ts';
import { readColumns, readRecords } from './read/read-records.ts';
import { scanRecords } from './read/scan-records.ts';
import { openReadOnlyState } from './state/read-only-state.ts';
import { openStoreState, type StoreState } from './state/store-state.ts';
import { type FsStoreOptions, type FsStoreSettings, settingsOf } from './store-options.ts';
import { applyWrite } from './write/apply-write.ts';
import { planWrite } from './write/plan-write.ts';

interface CheckedWrite {
  readonly definitions: ReadonlyMap<string, CollectionDefinition>;
  readonly operations: readonly WriteOperation[];
  readonly options: WriteOptions;
  readonly durability: Durability;
}

async function writeIn(
  state: StoreState,
  { definitions, operations, options, durability }: CheckedWrite,
): Promise<void> {
  await state.locked(async (turn) => {
    const scan: StoreBackend['scan'] = (query) => turn.index.columns.scan(query);
    const plain = await plainOperations(scan, operations, options);
    const steps = planWrite(definitions, plain, turn.index);
    if (steps.length > 0) await applyWrite(turn, steps, durability);
  });
}

function copiesOf(keys: readonly RecordKey[]): RecordKey[] {
  return keys.map((key) => [...key]);
}

/** The operation as it is now, whatever the caller does to it while it waits. Cost: long texts are not copied. */
function copyOf(operation: WriteOperation): WriteOperation {
  const copy = { ...operation, key: [...operation.key] };
  if (copy.type === 'put') {
    return { ...copy, columns: { ...copy.columns }, words: { ...copy.words } };
  }
  return copy.type === 'patch' ? { ...copy, columns: { ...copy.columns } } : copy;
}

/** The life of a backend: new, open, closed. */
interface Life {
  readonly opened: () => OpenStore;
  readonly open: StoreBackend['open'];
  readonly close: () => Promise<void>;
}

interface OpenStore {
  readonly state: StoreState;
  readonly definitions: ReadonlyMap<string, CollectionDefinition>;
  /** Ends the look for what others write. */
  readonly stopLooking: () => void;
  /** Leaves what is not taken in of an older store's words to the next open. */
  readonly stopTakingIn: () => void;
}

async function openFolder(
  settings: FsStoreSettings,
  collections: readonly CollectionDefinition[],
  { onUnsearched, watch }: OpenOptions,
): Promise<OpenStore> {
  const open = settings.readOnly ? openReadOnlyState : openStoreState;
  const state = await open(settings, collections);
  const definitions = new Map(collections.map((one) => [one.name, one]));
  const stopTakingIn = await takeInOldWords(state, collections, onUnsearched);
  const stopLooking = await lookForWrites({ watch, readMark: async () => state.mark() });
  return { state, definitions, stopLooking, stopTakingIn };
}

function createLife(settings: FsStoreSettings): Life {
  let store: OpenStore | 'new' | 'closed' = 'new';
  const opened = (): OpenStore => {
    if (store !== 'new' && store !== 'closed') return store;
    const reason = store === 'new' ? 'is not open yet' : 'is closed';
    throw new CtxError('CTX_STORE_CLOSED', `the file store ${reason}`);
  };
  return {
    opened,
    async open(collections, options = {}) {
      checkCollections(collections);
      if (store === 'closed') opened();
      if (store !== 'new')
        throw new CtxError('CTX_INVALID_INPUT', 'the file store is open already');
      store = await openFolder(settings, structuredClone(collections), { ...options });
    },
    async close() {
      const before = store;
      store = 'closed';
      if (before === 'new' || before === 'closed') return;
      before.stopLooking();
      before.stopTakingIn();
      await before.state.close();
    },
  };
}

const supports: StoreSupport = {
  durable: true,
  sharedBetweenProcesses: true,
  search: true,
  watch: true,
};

/**
 * Keeps records as readable JSON files in a folder, one file for each but for short events, of which many share one.
 * Contract: several processes may use the folder at once.
 * Cost: a write is one new file and two renames for each record, or one more line in a file; a read is one file or line; counts, scans
 * of columns and searches read no file. The index is in memory, about a kilobyte for each record.
 */
export function fsBackend(options: FsStoreOptions): StoreBackend {
  const settings = settingsOf(options);
  const life = createLife(settings);
  const { opened } = life;

  return {
    contract: 1,
    name: 'store-fs',
    supports,
    open: life.open,
    async get(collection, keys, part) {
      const { state, definitions } = opened();
      const definition = collectionNamed(definitions, collection);
      checkKeys(definition, keys);
      if (part !== 'columns') return await readRecords(state, definition, copiesOf(keys));
      return await readColumns(await state.refresh(), collection, keys);
    },
    async write(operations, options = {}) {
      const { durability = settings.durability, ...ranges } = options;
      const { state, definitions } = opened();
      checkWrite(definitions, { operations, options: ranges });
      const copies = operations.map(copyOf);
      const call = { operations: copies, options: structuredClone(ranges), durability };
      await writeIn(state, { definitions, ...call });
    },
    async *scan(query) {
      const { state, definitions } = opened();
      const definition = collectionNamed(definitions, query.collection);
      for await (const record of scanRecords(state, definition, query)) {
        opened();
        yield record;
      }
    },
    async tally(query) {
      return await (await opened().state.refresh()).columns.tally(query);
    },
    async search(query) {
      const { state, definitions } = opened();
      const definition = collectionNamed(definitions, query.collection);
      checkSearch(definition, query);
      const copy = { ...query, equal: [...query.equal], words: [...query.words] };
      return await (await state.refresh()).search(copy);
    },
    close: life.close,
  };
}
