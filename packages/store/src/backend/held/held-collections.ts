import { collectionNamed } from '../check/check-value.ts';
import { keyText } from '../index-order.ts';
import { createMemoryCollection, type MemoryCollection } from '../memory/memory-collection.ts';
import { memoryReads } from '../memory/memory-reads.ts';
import { type MemoryRanges, writeToMemory } from '../memory/memory-write.ts';
import type {
  CollectionDefinition,
  RecordKey,
  StoreBackend,
  WriteOperation,
} from '../store-backend.ts';

type Reads = Pick<StoreBackend, 'get' | 'scan' | 'tally' | 'search'>;

/** What held writes did to one collection. */
export interface HeldCollection {
  readonly definition: CollectionDefinition;
  /** The records that were written, as the store has them. */
  readonly before: MemoryCollection;
  /** The same records as they will be. */
  readonly after: MemoryCollection;
  /** Keys of all of them, as text; deleted ones, too. */
  readonly touched: Set<string>;
  /** Keys of those whose words changed: that were put or deleted, not only patched. */
  readonly reworded: Set<string>;
  readonly readBefore: Reads;
  readonly readAfter: Reads;
}

/** The collections that held writes touched, by name. */
export interface HeldCollections {
  readonly definitions: Map<string, CollectionDefinition>;
  /** Returns `undefined` if nothing was written to the collection. */
  find(name: string): HeldCollection | undefined;
  /** Reads the records that the operations name and that are not known yet. */
  load(base: StoreBackend, operations: readonly WriteOperation[]): Promise<void>;
  /**
   * Does all of the operations, whose records were loaded, or none.
   * @throws `CTX_STORE_CONFLICT` if a record has another version than expected
   */
  stage(operations: readonly WriteOperation[]): void;
  /** Forgets what was loaded for the operations and not changed: it is read again, as the store has it then. */
  forgetUnchanged(operations: readonly WriteOperation[]): void;
}

const noRanges: MemoryRanges = { emptyRanges: [], patchRanges: [], appends: [] };

function heldCollection(definition: CollectionDefinition): HeldCollection {
  const before = createMemoryCollection(definition);
  const after = createMemoryCollection(definition);
  const reads = (collection: MemoryCollection): Reads =>
    memoryReads(
      () => collection,
      () => undefined,
    );
  return {
    definition,
    before,
    after,
    touched: new Set(),
    reworded: new Set(),
    readBefore: reads(before),
    readAfter: reads(after),
  };
}

/** Reads records of the store into a collection, as they are and as they will be. */
async function loadInto(
  { definition, before, after }: HeldCollection,
  base: StoreBackend,
  keys: readonly RecordKey[],
): Promise<void> {
  for (const record of await base.get(definition.name, keys)) {
    if (record === undefined) continue;
    before.replace(keyText(record.key), { ...record, words: {} });
    after.replace(keyText(record.key), { ...record, words: {} });
  }
}

/** Makes the collections, with none touched. */
export function heldCollections(): HeldCollections {
  const definitions = new Map<string, CollectionDefinition>();
  const held = new Map<string, HeldCollection>();
  const open = (name: string): HeldCollection => {
    const known = held.get(name);
    if (known !== undefined) return known;
    const made = heldCollection(collectionNamed(definitions, name));
    held.set(name, made);
    return made;
  };
  return {
    definitions,
    find: (name) => {
      const found = held.get(name);
      return found === undefined || found.touched.size === 0 ? undefined : found;
    },
    load: async (base, operations) => {
      const wanted = new Map<string, Map<string, RecordKey>>();
      for (const { collection, key } of operations) {
        const text = keyText(key);
        if (held.get(collection)?.touched.has(text) === true) continue;
        const keys = wanted.get(collection) ?? new Map<string, RecordKey>();
        wanted.set(collection, keys.set(text, key));
      }
      for (const [name, keys] of wanted) await loadInto(open(name), base, [...keys.values()]);
    },
    stage: (operations) => {
      writeToMemory((name) => open(name).after, operations, noRanges);
      for (const { type, collection, key } of operations) {
        if (type === 'check') continue;
        const { touched, reworded } = open(collection);
        touched.add(keyText(key));
        if (type !== 'patch') reworded.add(keyText(key));
      }
    },
    forgetUnchanged: (operations) => {
      for (const { collection, key } of operations) {
        const found = held.get(collection);
        if (found === undefined || found.touched.has(keyText(key))) continue;
        found.before.replace(keyText(key), undefined);
        found.after.replace(keyText(key), undefined);
      }
    },
  };
}
