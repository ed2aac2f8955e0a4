import { CtxError } from '@ctx/core';
import {
  type CollectionDefinition,
  checkCollections,
  checkKeys,
  checkOffered,
  checkOperations,
  checkScan,
  checkTally,
  collectionNamed,
  completeColumns,
  type RecordPart,
  type StoreBackend,
  type StoredRecord,
  type WriteOperation,
} from '@ctx/store/backend';
import { type JournalFile, openJournal } from './journal-file.ts';
import {
  applyOperation,
  nameOf,
  type Records,
  selectRecords,
  tallyRecords,
} from './journal-records.ts';

function copyOf(
  definition: CollectionDefinition,
  record: StoredRecord,
  part: RecordPart = 'whole',
): StoredRecord {
  return {
    key: [...record.key],
    version: record.version,
    columns: completeColumns(definition, record.columns),
    body: part === 'columns' ? '' : record.body,
  };
}

/** An open store: the records as they are, and the file that they are read from next time. */
class JournalStore {
  readonly definitions: ReadonlyMap<string, CollectionDefinition>;
  records: Records;
  private readonly file: JournalFile;
  private queue: Promise<void> = Promise.resolve();

  constructor(file: JournalFile, collections: readonly CollectionDefinition[]) {
    this.file = file;
    this.records = file.records;
    this.definitions = new Map(collections.map((definition) => [definition.name, definition]));
  }

  definition(name: string): CollectionDefinition {
    return collectionNamed(this.definitions, name);
  }

  /** Writes one after the other, so that each sees what the one before has done. */
  async write(operations: readonly WriteOperation[]): Promise<void> {
    const turn = this.queue.then(() => this.commit(operations));
    this.queue = turn.catch(() => undefined);
    await turn;
  }

  async close(): Promise<void> {
    await this.queue;
    await this.file.close();
  }

  private async commit(operations: readonly WriteOperation[]): Promise<void> {
    const draft = new Map(this.records);
    for (const operation of operations) {
      applyOperation(draft, this.definition(operation.collection), operation);
    }
    const names = new Set(operations.map(({ collection, key }) => nameOf(collection, key)));
    await this.file.append([...names].map((name) => [name, draft.get(name) ?? null]));
    this.records = draft;
  }
}

const journal = {
  name: 'journal',
  supports: { durable: true, sharedBetweenProcesses: false, search: false },
};

/** Records in a map; every write is one line of the file at `path`. */
export function journalBackend(path: string): StoreBackend {
  let state: JournalStore | 'new' | 'closed' = 'new';
  const openStore = (): JournalStore => {
    if (typeof state !== 'string') return state;
    throw new CtxError('CTX_STORE_CLOSED', `the journal is ${state}`);
  };
  return {
    contract: 1,
    ...journal,
    async open(collections) {
      if (state === 'closed') openStore();
      if (state !== 'new') throw new CtxError('CTX_INVALID_INPUT', 'the journal is open already');
      checkCollections(collections);
      state = new JournalStore(await openJournal(path), structuredClone(collections));
    },
    async get(collection, keys, part) {
      const { records } = openStore();
      const definition = openStore().definition(collection);
      checkKeys(definition, keys);
      const found = keys.map((key) => records.get(nameOf(collection, key)));
      return found.map((record) => record && copyOf(definition, record, part));
    },
    async write(operations, options) {
      checkOffered(journal, operations, options);
      checkOperations(openStore().definitions, operations);
      await openStore().write(structuredClone(operations));
    },
    async *scan(query) {
      const definition = openStore().definition(query.collection);
      checkScan(definition, query);
      for (const record of selectRecords(openStore().records, definition, query)) {
        yield copyOf(definition, record, query.part);
      }
    },
    async tally(query) {
      const definition = openStore().definition(query.collection);
      checkTally(definition, query);
      return tallyRecords(openStore().records, definition, query);
    },
    async search() {
      throw new CtxError('CTX_STORE_UNSUPPORTED', 'a journal is not searched');
    },
    async close() {
      const closing = state;
      state = 'closed';
      if (typeof closing !== 'string') await closing.close();
    },
  };
}
