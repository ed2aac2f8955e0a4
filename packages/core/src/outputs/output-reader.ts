import { LRUCache } from 'lru-cache';
import type { ContextPointer, ToolOutput } from '../records/tool-output.ts';
import type { CollectionAccess } from '../store/collection-access.ts';
import type { RecordKey, RecordPart, StoredRecord } from '../store/store-backend.ts';
import type { OutputPolicy } from './output-policy.ts';
import { outputOf, pointerOf } from './output-record.ts';

/** Names one output: the session may be left out, since ids are unique in a store. */
export interface OutputName {
  readonly id: string;
  readonly sessionId?: string;
}

/** Reads outputs; small ones from memory once they were seen. */
export interface OutputReader {
  load(name: OutputName): Promise<ToolOutput | undefined>;
  pointer(name: OutputName): Promise<ContextPointer | undefined>;
  /** Keeps a small record at hand. */
  remember(record: StoredRecord): void;
  forget(key: RecordKey): void;
}

/** What a record takes in memory besides its body, bytes, about. */
const recordOverhead = 2048;

/** A result may move to another output between two reads; so often it is looked for anew. */
const maxMoves = 5;

const cacheKey = (key: RecordKey): string => JSON.stringify(key);

/** Makes a reader with an empty cache. Cost: at most `cacheTotalBytes` of memory. */
export function outputReader(collection: CollectionAccess, policy: OutputPolicy): OutputReader {
  const cache = new LRUCache<string, StoredRecord>({
    maxSize: Math.max(1, policy.cacheTotalBytes),
  });
  const remember = (record: StoredRecord): void => {
    if (record.body.length > policy.cacheUpToBytes) return;
    cache.set(cacheKey(record.key), record, { size: record.body.length * 2 + recordOverhead });
  };
  const find = async ({ id, sessionId }: OutputName, part: RecordPart) => {
    if (sessionId !== undefined) return collection.get([sessionId, id], part);
    for await (const record of collection.scan({ index: 'by_id', equal: [id], limit: 1, part })) {
      return record;
    }
    return undefined;
  };
  const loadOnce = async (name: OutputName): Promise<ToolOutput | 'moved' | undefined> => {
    const known = cache.get(cacheKey([name.sessionId ?? '', name.id]));
    const record = known ?? (await find(name, 'whole'));
    if (record === undefined) return undefined;
    remember(record);
    const ownerId = record.columns['content_of'];
    if (typeof ownerId !== 'string') return outputOf(record, record);
    const owner = await collection.get([record.key[0] ?? '', ownerId]);
    if (owner !== undefined) return outputOf(record, owner);
    cache.delete(cacheKey(record.key));
    return 'moved';
  };
  return {
    remember,
    forget: (key) => {
      cache.delete(cacheKey(key));
    },
    load: async (name) => {
      for (let moves = 0; moves < maxMoves; moves += 1) {
        const loaded = await loadOnce(name);
        if (loaded !== 'moved') return loaded;
      }
      return undefined;
    },
    pointer: async (name) => {
      const record = await find(name, 'columns');
      return record && pointerOf(record);
    },
  };
}
