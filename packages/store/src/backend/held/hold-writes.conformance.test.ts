import { describe, it } from 'vitest';
import { describeStoreBackend } from '../../testing/describe-store-backend.ts';
import { memoryBackend } from '../memory/memory-backend.ts';
import type { CollectionDefinition, OpenOptions, StoreBackend } from '../store-backend.ts';
import { takeTurns } from '../take-turns.ts';
import { wrapBackend } from '../wrap-backend.ts';
import { holdWrites } from './hold-writes.ts';

/** Holds three writes, commits them, and so on: reads meet records of the store and records that wait. */
function committingBackend(base: StoreBackend): StoreBackend {
  const renewed = wrapBackend(base, { open: () => Promise.resolve() });
  const inTurn = takeTurns();
  let held = holdWrites(base);
  let writes = 0;
  let opened: readonly [readonly CollectionDefinition[], OpenOptions] = [[], {}];
  return {
    ...held.backend,
    open: async (collections, options = {}) => {
      opened = [structuredClone(collections), options];
      await held.backend.open(collections, options);
    },
    get: (collection, keys, part) => held.backend.get(collection, keys, part),
    scan: (query) => held.backend.scan(query),
    tally: (query) => held.backend.tally(query),
    search: (query) => held.backend.search(query),
    write: (operations, options) => {
      const copy = structuredClone(operations);
      return inTurn(['write'], async () => {
        await held.backend.write(copy, options);
        writes += 1;
        if (writes % 3 !== 0) return;
        await held.commit();
        held = holdWrites(renewed);
        await held.backend.open(...opened);
      });
    },
    close: () => held.backend.close(),
  };
}

describeStoreBackend({
  title: 'writes that wait, of which every third commits',
  runner: { describe, it },
  create: () => committingBackend(memoryBackend()),
  // Scores of what waits are of a search among what waits.
  filter: ({ name }) => name !== 'ranks them as words that were given at once',
});
