import { isCtxError } from '@ctx/core';
import type { RecordKey, StoreBackend, WriteOperation } from '../../backend/store-backend.ts';
import type { CollectionAccess } from '../../records/collection-access.ts';
import { retryOnConflict } from '../../records/retry-on-conflict.ts';
import { readBody } from '../output-record.ts';
import { outputWords } from '../output-words.ts';
import { resultText } from '../result-text.ts';

/** The outputs that an older ctx stored, of which a search knew the first 8,000 characters. */
export interface OldOutputs {
  /** Counts them at the first call and, after it, begins to index the whole of each. */
  readonly look: () => Promise<void>;
  /** How many are left, as far as they were counted. */
  readonly left: () => number;
  /** Ends the indexing. What is left goes on after the next open. */
  readonly stop: () => Promise<void>;
}

export interface OldOutputsPlace {
  readonly backend: StoreBackend;
  readonly collection: CollectionAccess;
  /** As `OutputPolicy` has it. */
  readonly searchedCharacters: number;
}

/** So many are looked for at once, and one after the other indexed: other calls have their turn between two. */
const stepRecords = 16;
const oldOnes = { index: 'by_searched', equal: [null] } as const;

/** Puts an output again with the words of all of it. Damaged outputs stay as they are: reading them tells. */
async function planAgain(
  { collection, searchedCharacters }: OldOutputsPlace,
  key: RecordKey,
): Promise<WriteOperation[]> {
  const record = await collection.get(key);
  if (record === undefined || record.columns['partly_searched'] !== null) return [];
  const argsJson = JSON.stringify(readBody(record).args ?? null);
  const parts = {
    toolName: String(record.columns['tool_name']),
    argsJson,
    resultText: await resultText(collection, record),
  };
  const { words, isWhole } = outputWords(parts, searchedCharacters);
  const columns = {
    ...record.columns,
    searched_characters: searchedCharacters,
    partly_searched: isWhole ? 0 : 1,
  };
  return [
    collection.put({ key, columns, body: record.body, words, expectVersion: record.version }),
  ];
}

async function indexAgain(place: OldOutputsPlace, key: RecordKey): Promise<boolean> {
  try {
    await retryOnConflict(async () => {
      const operations = await planAgain(place, key);
      if (operations.length > 0) await place.backend.write(operations);
    });
    return true;
  } catch (error) {
    if (isCtxError(error, 'CTX_STORE_CORRUPT')) return false;
    throw error;
  }
}

/** Finds and indexes what an older ctx stored. Counts once in an index at the first look, then reads and writes each. */
export function oldOutputs(place: OldOutputsPlace): OldOutputs {
  const { collection } = place;
  let left = 0;
  let isStopped = false;
  let counting: Promise<void> | undefined;
  let indexing: Promise<void> | undefined;
  const indexAll = async (): Promise<void> => {
    let after: ReturnType<CollectionAccess['positionOf']> | undefined;
    for (;;) {
      const step = { ...oldOnes, limit: stepRecords, part: 'columns' } as const;
      const found = [];
      for await (const record of collection.scan({ ...step, ...(after && { after }) })) {
        found.push(record);
      }
      for (const record of found) {
        if (isStopped) return;
        after = collection.positionOf(record, oldOnes.index);
        if (await indexAgain(place, record.key)) left = Math.max(0, left - 1);
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (found.length < stepRecords) return;
    }
  };
  const count = async (): Promise<void> => {
    const [found] = await collection.tally(oldOnes);
    left = found?.count ?? 0;
    // What fails, such as on a full disk or in a store that is only read, is left for the next open; `left` says how many.
    if (left > 0 && !isStopped) indexing = indexAll().catch(() => undefined);
  };
  return {
    look: () => (counting ??= count()),
    left: () => left,
    stop: async () => {
      isStopped = true;
      await indexing;
    },
  };
}
