import {
  type CollectionDefinition,
  CtxError,
  checkCollections,
  checkKeys,
  checkOperations,
  checkScan,
  collectionNamed,
  fieldsOfIndex,
  type ScanQuery,
  type StoreBackend,
  type StoredRecord,
} from '@ctx/core';
import { applyWrite } from './apply-write.ts';
import { planWrite } from './plan-write.ts';
import { readRecords, readScanned } from './read-records.ts';
import { type FsStoreOptions, settingsOf } from './store-options.ts';
import { openStoreState, type StoreState } from './store-state.ts';

/** Records whose files a scan reads ahead: few at first, since many scans stop early. */
const firstPage = 4;
const laterPages = 32;

async function* scanWhole(
  state: StoreState,
  definition: CollectionDefinition,
  query: ScanQuery,
): AsyncGenerator<StoredRecord> {
  const fields = fieldsOfIndex(definition, query.index);
  const index = await state.refresh();
  let page: StoredRecord[] = [];
  let pageSize = firstPage;
  for await (const record of index.columns.scan(query)) {
    page.push(record);
    if (page.length < pageSize) continue;
    yield* await readScanned(state, definition, { scanned: page, fields });
    page = [];
    pageSize = laterPages;
  }
  yield* await readScanned(state, definition, { scanned: page, fields });
}

/**
 * Keeps records as readable JSON files in a folder, one file for each.
 * Contract: several processes may use the folder at once.
 * Cost: a write is one new file and two renames for each record; a read is one file; counts, scans of columns and searches
 * read no file. The index is in memory, about a kilobyte for each record.
 */
export function fsBackend(options: FsStoreOptions): StoreBackend {
  const settings = settingsOf(options);
  const definitions = new Map<string, CollectionDefinition>();
  let state: StoreState | 'new' | 'closed' = 'new';

  const opened = (): StoreState => {
    if (state !== 'new' && state !== 'closed') return state;
    const reason = state === 'new' ? 'is not open yet' : 'is closed';
    throw new CtxError('CTX_STORE_CLOSED', `the file store ${reason}`);
  };

  return {
    contract: 1,
    name: 'store-fs',
    supports: { durable: true, sharedBetweenProcesses: true, search: true },
    async open(collections) {
      if (state === 'closed') opened();
      if (state !== 'new')
        throw new CtxError('CTX_INVALID_INPUT', 'the file store is open already');
      checkCollections(collections);
      const copies = structuredClone(collections);
      for (const definition of copies) definitions.set(definition.name, definition);
      state = await openStoreState(settings, copies);
    },
    async get(collection, keys, part) {
      const open = opened();
      const definition = collectionNamed(definitions, collection);
      checkKeys(definition, keys);
      if (part !== 'columns') return await readRecords(open, definition, structuredClone(keys));
      return await (await open.refresh()).columns.get(collection, keys, 'columns');
    },
    async write(operations, { durability = settings.durability } = {}) {
      const open = opened();
      checkOperations(definitions, operations);
      const copies = structuredClone(operations);
      await open.locked(async (turn) => {
        const steps = planWrite(definitions, copies, turn.index);
        if (steps.length > 0) await applyWrite(turn, steps, durability);
      });
    },
    async *scan(query) {
      const open = opened();
      const definition = collectionNamed(definitions, query.collection);
      checkScan(definition, query);
      const records =
        query.part === 'columns'
          ? (await open.refresh()).columns.scan(query)
          : scanWhole(open, definition, structuredClone(query));
      for await (const record of records) {
        opened();
        yield record;
      }
    },
    async tally(query) {
      return await (await opened().refresh()).columns.tally(query);
    },
    async search(query) {
      return await (await opened().refresh()).search(query);
    },
    async close() {
      if (state === 'new' || state === 'closed') {
        state = 'closed';
        return;
      }
      const open = state;
      state = 'closed';
      await open.close();
    },
  };
}
