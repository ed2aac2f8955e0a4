import { backendLife } from '../check/backend-life.ts';
import { collectionNamed, invalidInput } from '../check/check-value.ts';
import { checkWrite } from '../check/check-write.ts';
import type {
  CollectionDefinition,
  StoreBackend,
  StoreSupport,
  WriteOperation,
  WriteOptions,
  WriteWatch,
} from '../store-backend.ts';
import { createMemoryCollection, type MemoryCollection } from './memory-collection.ts';
import { type CollectionOf, memoryReads } from './memory-reads.ts';
import { type MemoryRanges, writeToMemory } from './memory-write.ts';

/** Where records lie. Backends on one place see the same records, also one after the other. */
export interface MemoryPlace {
  readonly collections: Map<string, MemoryCollection>;
  /** Who is told of what others write. */
  readonly watches: Set<WriteWatch>;
  /** Writes so far. */
  writes: number;
}

/** Makes a place without records. */
export function createMemoryPlace(): MemoryPlace {
  return { collections: new Map(), watches: new Set(), writes: 0 };
}

export interface MemoryBackendOptions {
  /** Default: a place of its own, gone with the backend. */
  readonly place?: MemoryPlace;
}

interface OpenMemory {
  readonly definitions: ReadonlyMap<string, CollectionDefinition>;
  readonly watch: WriteWatch | undefined;
}

function openInPlace(place: MemoryPlace, definitions: readonly CollectionDefinition[]): void {
  for (const definition of definitions) {
    const before = place.collections.get(definition.name);
    const isSame = JSON.stringify(before?.definition) === JSON.stringify(definition);
    if (isSame) continue;
    place.collections.set(
      definition.name,
      createMemoryCollection(definition, before?.records.values()),
    );
  }
}

function rangesOf({
  emptyRanges = [],
  patchRanges = [],
  appends = [],
}: WriteOptions): MemoryRanges {
  return { emptyRanges, patchRanges, appends: structuredClone(appends) };
}

const supports: StoreSupport = {
  durable: false,
  sharedBetweenProcesses: false,
  search: true,
  watch: true,
};

/** A write as it is asked for. */
interface WriteCall {
  readonly operations: readonly WriteOperation[];
  readonly options: WriteOptions;
}

/** Counts a write, and tells every other backend on the place who of its tenants was written to. */
function tellOthers(
  place: MemoryPlace,
  own: WriteWatch | undefined,
  { operations, options: { appends = [] } }: WriteCall,
): void {
  place.writes += 1;
  for (const watch of place.watches) {
    if (watch === own) continue;
    const seen = operations.filter(({ collection }) => collection === watch.collection);
    const added = appends.filter(({ collection }) => collection === watch.collection);
    const tenants = [...seen.map(({ key }) => key[0]), ...added.map((batch) => batch.place[0])];
    for (const tenant of new Set(tenants)) watch.onWrite(tenant);
  }
}

/**
 * Keeps everything in memory: for tests, for trying ctx out, and for what may be forgotten.
 * Reads by key take constant time, a write leaves a note for each index, a read of an index puts up to 512 of them in their places; scans see
 * the moment of their first step.
 */
export function memoryBackend(options: MemoryBackendOptions = {}): StoreBackend {
  const place = options.place ?? createMemoryPlace();
  const life = backendLife<OpenMemory>({
    name: 'the memory store',
    open: async (collections, { watch }) => {
      openInPlace(place, collections);
      if (watch !== undefined) place.watches.add(watch);
      return { definitions: new Map(collections.map((one) => [one.name, one])), watch };
    },
    async close(state) {
      if (state?.watch !== undefined) place.watches.delete(state.watch);
    },
  });
  const { opened } = life;
  const collectionOf: CollectionOf = (name) => {
    collectionNamed(opened().definitions, name);
    const collection = place.collections.get(name);
    if (collection === undefined) throw invalidInput('the store has no collection of that name');
    return collection;
  };
  return {
    contract: 1,
    name: 'memory',
    supports,
    ...memoryReads(collectionOf, opened),
    async open(collections, options = {}) {
      await life.open(collections, options);
      options.onMark?.(() => (life.isClosed() ? undefined : String(place.writes)));
    },
    async write(operations, options = {}) {
      const { definitions, watch } = opened();
      checkWrite(definitions, { operations, options });
      writeToMemory(collectionOf, operations, rangesOf(options));
      tellOthers(place, watch, { operations, options });
    },
    close: life.close,
  };
}
