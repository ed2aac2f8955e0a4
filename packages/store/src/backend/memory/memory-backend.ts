import { CtxError } from '@ctx/core';
import { checkCollections } from '../check/check-definition.ts';
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

function openInPlace(place: MemoryPlace, definitions: readonly CollectionDefinition[]): void {
  for (const given of definitions) {
    const definition = structuredClone(given);
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
 * Cost: reads by key are constant, a write leaves a note for each index, a read of an index puts up to 512 of them in their places; scans see
 * the moment of their first step.
 */
export function memoryBackend(options: MemoryBackendOptions = {}): StoreBackend {
  const place = options.place ?? createMemoryPlace();
  const definitions = new Map<string, CollectionDefinition>();
  let watch: WriteWatch | undefined;
  let state: 'new' | 'open' | 'closed' = 'new';

  const checkOpen = (): void => {
    if (state === 'open') return;
    const reason = state === 'new' ? 'is not open yet' : 'is closed';
    throw new CtxError('CTX_STORE_CLOSED', `the memory store ${reason}`);
  };
  const collectionOf: CollectionOf = (name) => {
    checkOpen();
    collectionNamed(definitions, name);
    const collection = place.collections.get(name);
    if (collection === undefined) throw invalidInput('the store has no collection of that name');
    return collection;
  };

  return {
    contract: 1,
    name: 'memory',
    supports,
    ...memoryReads(collectionOf, checkOpen),
    async open(collections, options = {}) {
      if (state === 'open') throw invalidInput('the memory store is open already');
      if (state === 'closed') checkOpen();
      checkCollections(collections);
      openInPlace(place, collections);
      for (const definition of collections) {
        definitions.set(definition.name, structuredClone(definition));
      }
      watch = options.watch;
      if (watch !== undefined) place.watches.add(watch);
      state = 'open';
      options.onMark?.(() => (state === 'open' ? String(place.writes) : undefined));
    },
    async write(operations, options = {}) {
      checkOpen();
      checkWrite(definitions, { operations, options });
      writeToMemory(collectionOf, operations, rangesOf(options));
      tellOthers(place, watch, { operations, options });
    },
    async close() {
      if (watch !== undefined) place.watches.delete(watch);
      state = 'closed';
    },
  };
}
