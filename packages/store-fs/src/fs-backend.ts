import {
  backendLife,
  type CollectionDefinition,
  checkedCalls,
  lookForWrites,
  type OpenOptions,
  plainOperations,
  type RecordKey,
  type SearchHit,
  type SearchQuery,
  type StoreBackend,
  type WriteOperation,
  type WriteOptions,
} from '@ctx/store/backend';
import type { Durability } from './files/write-atomically.ts';
import { indexOldWords } from './index/old-words.ts';
import { readColumns, readRecords } from './read/read-records.ts';
import { scanRecords } from './read/scan-records.ts';
import { openReadOnlyState } from './state/read-only-state.ts';
import { openStoreState, type StoreState } from './state/store-state.ts';
import { type FsStoreOptions, type FsStoreSettings, settingsOf } from './store-options.ts';
import { applyWrite } from './write/apply-write.ts';
import { definitionIn, planWrite } from './write/plan-write.ts';

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

/** Searches the index; again where it was replaced by another one while the words of the first search were taken in. */
async function searchPresent(opened: () => StoreState, query: SearchQuery): Promise<SearchHit[]> {
  for (;;) {
    const index = await opened().refresh();
    try {
      return await index.search(query);
    } catch (error) {
      if (opened().present() === index) throw error;
    }
  }
}

function copiesOf(keys: readonly RecordKey[]): RecordKey[] {
  return keys.map((key) => [...key]);
}

/** The operation as it is now, whatever the caller does to it while it waits. Long texts are not copied. */
function copyOf(operation: WriteOperation): WriteOperation {
  const copy = { ...operation, key: [...operation.key] };
  if (copy.type === 'put') {
    return { ...copy, columns: { ...copy.columns }, words: { ...copy.words } };
  }
  return copy.type === 'patch' ? { ...copy, columns: { ...copy.columns } } : copy;
}

interface OpenStore {
  readonly state: StoreState;
  readonly definitions: ReadonlyMap<string, CollectionDefinition>;
  /** Ends the look for what others write. */
  readonly stopLooking: () => void;
  /** Leaves what is not taken in of an older store's words to the next open. */
  readonly stopIndexing: () => void;
}

async function openFolder(
  settings: FsStoreSettings,
  collections: readonly CollectionDefinition[],
  { onUnsearched, watch }: OpenOptions,
): Promise<OpenStore> {
  const open = settings.readOnly ? openReadOnlyState : openStoreState;
  const state = await open(settings, collections);
  const definitions = new Map(collections.map((one) => [one.name, one]));
  const stopIndexing = await indexOldWords(state, collections, onUnsearched);
  const stopLooking = await lookForWrites({ watch, readMark: async () => state.mark() });
  return { state, definitions, stopLooking, stopIndexing };
}

async function closeFolder(store: OpenStore | undefined): Promise<void> {
  store?.stopLooking();
  store?.stopIndexing();
  await store?.state.close();
}

const supports: StoreBackend['supports'] = {
  durable: true,
  sharedBetweenProcesses: true,
  search: true,
  watch: true,
};

/**
 * Keeps records as readable JSON files in a folder, one file for each but for short events, of which many share one.
 * Several processes may use the folder at once.
 * A write is one new file and two renames for each record, or one more line in a file; a read is one file or line; counts, scans
 * of columns and searches read no file. The index is in memory, about a kilobyte for each record.
 */
export function fsBackend(options: FsStoreOptions): StoreBackend {
  const settings = settingsOf(options);
  const { opened, open, close } = backendLife<OpenStore>({
    name: 'the file store',
    open: (collections, openOptions) => openFolder(settings, collections, openOptions),
    close: closeFolder,
  });

  const definitionOf = (collection: string): CollectionDefinition =>
    definitionIn(opened().definitions, collection);
  const calls: Pick<StoreBackend, 'get' | 'write' | 'scan' | 'tally' | 'search'> = {
    async get(collection, keys, part) {
      const { state } = opened();
      const copies = copiesOf(keys);
      if (part === 'columns') return await readColumns(await state.refresh(), collection, copies);
      return await readRecords(state, definitionOf(collection), copies);
    },
    async write(operations, options = {}) {
      const { durability = settings.durability, ...ranges } = options;
      const { state, definitions } = opened();
      const copies = operations.map(copyOf);
      const call = { operations: copies, options: structuredClone(ranges), durability };
      await writeIn(state, { definitions, ...call });
    },
    async *scan(query) {
      const { state } = opened();
      for await (const record of scanRecords(state, definitionOf(query.collection), query)) {
        opened();
        yield record;
      }
    },
    async tally(query) {
      return await (await opened().state.refresh()).columns.tally(query);
    },
    async search(query) {
      return await searchPresent(() => opened().state, { ...query, equal: [...query.equal] });
    },
  };
  return {
    contract: 1,
    name: 'store-fs',
    supports,
    open,
    ...checkedCalls(calls, () => opened().definitions),
    close,
  };
}
